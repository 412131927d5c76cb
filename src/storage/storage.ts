import type { AccountStore } from './accounts/account-store.ts';
import type { AccountTokenStore } from './accounts/account-token-store.ts';
import type { SessionStore } from './accounts/session-store.ts';
import type { UserStore } from './accounts/user-store.ts';
import type { AuditLog } from './audit/audit-log.ts';
import type { DecisionStore } from './decisions/decision-store.ts';
import type { ScoringLedger } from './decisions/scoring-ledger.ts';
import type { DecisionSearch } from './decisions/search/decision-search.ts';
import type { HeldSignupStore } from './held-signups/held-signup-store.ts';
import type { ApiKeyStore } from './keys/api-key-store.ts';
import type { QuotaStore } from './keys/quota-store.ts';
import type { ListEntryStore } from './lists/list-entry-store.ts';
import type { ErasedPerson, Erasure } from './retention/erasure.ts';
import type { RollupStore } from './rollups/rollup-store.ts';

/**
 * The database, by topic. The interfaces name no engine. A write is durable once its promise resolves: it survives the
 * end of the process at any moment. All times are milliseconds since the epoch.
 */
export interface Storage {
  readonly accounts: AccountStore;
  readonly users: UserStore;
  readonly sessions: SessionStore;
  readonly accountTokens: AccountTokenStore;
  readonly apiKeys: ApiKeyStore;
  readonly quotas: QuotaStore;
  readonly decisions: DecisionStore;
  readonly decisionSearch: DecisionSearch;
  readonly ledger: ScoringLedger;
  readonly heldSignups: HeldSignupStore;
  readonly listEntries: ListEntryStore;
  readonly audit: AuditLog;
  readonly rollups: RollupStore;
  /** Removes all stored data about a person's mailbox. Can be repeated, also while a server runs. */
  erase(person: ErasedPerson): Promise<Erasure>;
  /** Throws when the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
