import type { Clock } from '../clock.ts';
import { createAccounts } from './accounts/create-account-store.ts';
import { createAccountTokens } from './accounts/create-account-token-store.ts';
import { createSessions } from './accounts/create-session-store.ts';
import { createPeople } from './accounts/create-user-store.ts';
import { createAuditLog } from './audit/create-audit-log.ts';
import { createDecisions } from './decisions/create-decision-store.ts';
import { createLedger } from './decisions/create-scoring-ledger.ts';
import { createDecisionSearch } from './decisions/search/create-decision-search.ts';
import { openSqliteEngine } from './engine/sqlite-engine.ts';
import { sqlitePathOf } from './engine/sqlite-file.ts';
import { createHeldSignups } from './held-signups/create-held-signup-store.ts';
import { createApiKeys } from './keys/create-api-key-store.ts';
import { createQuotas } from './keys/create-quota-store.ts';
import { createListEntries } from './lists/create-list-entry-store.ts';
import { erasePerson } from './retention/erase-person.ts';
import { createRollups } from './rollups/create-rollup-store.ts';
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
  const people = createPeople(engine, clock);
  let closing: Promise<void> | null = null;
  return {
    accounts: createAccounts(engine, clock),
    apiKeys: createApiKeys(engine, clock),
    quotas: createQuotas(engine),
    decisions: createDecisions(engine, ledger, clock),
    decisionSearch: createDecisionSearch(engine),
    ledger,
    heldSignups: createHeldSignups(engine),
    listEntries: createListEntries(engine),
    audit: createAuditLog(engine),
    people,
    sessions: createSessions(engine, clock),
    accountTokens: createAccountTokens(engine, clock),
    rollups: createRollups(engine),
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
