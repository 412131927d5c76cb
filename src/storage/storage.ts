import type { AccountStore } from './accounts/account-store.ts';
import type { AccountTokenStore } from './accounts/account-token-store.ts';
import type { PasskeyStore } from './accounts/passkey-store.ts';
import type { PendingSignInStore } from './accounts/pending-sign-in-store.ts';
import type { SessionStore } from './accounts/session-store.ts';
import type { TwoFactorStore } from './accounts/two-factor-store.ts';
import type { UserStore } from './accounts/user-store.ts';
import type { AlertStore } from './alerts/alert-store.ts';
import type { AttackStore } from './attacks/attack-store.ts';
import type { AuditLog } from './audit/audit-log.ts';
import type { DecisionStore } from './decisions/decision-store.ts';
import type { ScoringLedger } from './decisions/scoring-ledger.ts';
import type { DecisionSearch } from './decisions/search/decision-search.ts';
import type { DomainUserStore } from './domain-users/domain-user-store.ts';
import type { ExportStore } from './exports/export-store.ts';
import type { FleetStore } from './fleet/fleet-store.ts';
import type { HeldSignupStore } from './held-signups/held-signup-store.ts';
import type { ReviewStore } from './held-signups/review-store.ts';
import type { IncidentStore } from './incidents/incident-store.ts';
import type { ApiKeyStore } from './keys/api-key-store.ts';
import type { QuotaStore } from './keys/quota-store.ts';
import type { ListEntryStore } from './lists/list-entry-store.ts';
import type { ErasedPerson, Erasure } from './retention/erasure.ts';
import type { RollupStore } from './rollups/rollup-store.ts';

/** The records that an administrative action changes, and the log of such actions. */
export interface ActRecords {
  readonly accounts: AccountStore;
  readonly users: UserStore;
  readonly sessions: SessionStore;
  readonly accountTokens: AccountTokenStore;
  readonly twoFactor: TwoFactorStore;
  readonly pendingSignIns: PendingSignInStore;
  readonly passkeys: PasskeyStore;
  readonly apiKeys: ApiKeyStore;
  readonly decisionSearch: DecisionSearch;
  readonly heldSignups: HeldSignupStore;
  readonly reviews: ReviewStore;
  readonly audit: AuditLog;
}

/**
 * The database, by topic. The interfaces name no engine. A write is durable once its promise resolves: it survives the
 * end of the process at any moment. All times are milliseconds since the epoch.
 */
export interface Storage extends ActRecords {
  /**
   * Runs the work in one transaction: an action and its audit entry are written together or not at all. The work uses
   * only the records that it receives, and waits for nothing else. It may run again after a deadlock.
   */
  act<T>(work: (records: ActRecords) => Promise<T>): Promise<T>;
  readonly quotas: QuotaStore;
  readonly decisions: DecisionStore;
  readonly ledger: ScoringLedger;
  readonly listEntries: ListEntryStore;
  readonly rollups: RollupStore;
  /** Attacks on signups as named events. */
  readonly attacks: AttackStore;
  /** Other events that operators should know. */
  readonly incidents: IncidentStore;
  readonly alerts: AlertStore;
  readonly exports: ExportStore;
  readonly domainUsers: DomainUserStore;
  /** Null with SQLite, whose processes share a folder. */
  readonly fleet: FleetStore | null;
  /**
   * Stores the fingerprint of the hash secret for all later records. Nodes on PostgreSQL use `fleet` for this.
   *
   * @returns the fingerprint of another secret that it replaces; null: there was none.
   */
  noteHashSecret(fingerprint: string): Promise<string | null>;
  /** Removes all stored data about a person's mailbox. Can be repeated, also while a server runs. */
  erase(person: ErasedPerson): Promise<Erasure>;
  /**
   * The clock by which records expire and are deleted. With PostgreSQL, it is the clock of the database, so a node
   * whose clock is ahead deletes no record too early.
   */
  now(): Promise<number>;
  /** Throws when the database does not answer or does not accept writes. */
  ping(): Promise<void>;
  /** The number of days after today that have a partition of decisions; null with SQLite, which has no partitions. */
  partitionsAhead(): Promise<number | null>;
  close(): Promise<void>;
}
