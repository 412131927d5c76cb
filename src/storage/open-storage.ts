import type { Clock } from '../clock.ts';
import { createAccountStore } from './accounts/create-account-store.ts';
import { createAccountTokenStore } from './accounts/create-account-token-store.ts';
import { createSessionStore } from './accounts/create-session-store.ts';
import { createUserStore } from './accounts/create-user-store.ts';
import { createAuditLog } from './audit/create-audit-log.ts';
import { createDecisionStore } from './decisions/create-decision-store.ts';
import { createLedger } from './decisions/create-scoring-ledger.ts';
import { createDecisionSearch } from './decisions/search/create-decision-search.ts';
import { openSqliteEngine } from './engine/sqlite-engine.ts';
import { sqlitePathOf } from './engine/sqlite-file.ts';
import { createHeldSignupStore } from './held-signups/create-held-signup-store.ts';
import { createApiKeyStore } from './keys/create-api-key-store.ts';
import { createQuotaStore } from './keys/create-quota-store.ts';
import { createListEntryStore } from './lists/create-list-entry-store.ts';
import { erasePerson } from './retention/erase-person.ts';
import { createRollupStore } from './rollups/create-rollup-store.ts';
import type { Storage } from './storage.ts';

/**
 * Opens the records, made and brought up to date where needed. What is answered survives `kill -9`; a power cut may
 * lose the last moments. Several processes may open the same file: counts stay exact, and a revocation holds in all
 * of them within a second.
 *
 * @param options.url `sqlite:` and a path; a relative one starts at the current folder.
 * @throws StorageError when the address is of another kind, or the database is damaged, of a newer version or out of
 *   reach. A damaged database is never replaced.
 */
export async function openStorage({
  url,
  clock,
}: {
  readonly url: string;
  readonly clock: Clock;
}): Promise<Storage> {
  const engine = await openSqliteEngine(sqlitePathOf(url), clock);
  const ledger = createLedger(engine.scoring);
  const people = createUserStore(engine, clock);
  let closing: Promise<void> | null = null;
  return {
    accounts: createAccountStore(engine, clock),
    apiKeys: createApiKeyStore(engine, clock),
    quotas: createQuotaStore(engine),
    decisions: createDecisionStore(engine, ledger, clock),
    decisionSearch: createDecisionSearch(engine),
    ledger,
    heldSignups: createHeldSignupStore(engine),
    listEntries: createListEntryStore(engine),
    audit: createAuditLog(engine),
    people,
    sessions: createSessionStore(engine, clock),
    accountTokens: createAccountTokenStore(engine, clock),
    rollups: createRollupStore(engine),
    erase: (person) => erasePerson(engine, people, person),
    async ping() {
      await engine.db.selectFrom('schema_versions').select('version').limit(1).execute();
    },
    close() {
      closing ??= ledger.close().then(() => engine.close());
      return closing;
    },
  };
}
