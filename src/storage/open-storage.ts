import type { Clock } from '../clock.ts';
import type { RecordsMetrics } from '../telemetry/engine-metrics.ts';
import { createAccountStore } from './accounts/create-account-store.ts';
import { createAccountTokenStore } from './accounts/create-account-token-store.ts';
import { createPasskeyStore } from './accounts/create-passkey-store.ts';
import { createSessionStore } from './accounts/create-session-store.ts';
import { createTwoFactorStore } from './accounts/create-two-factor-store.ts';
import { createUserStore } from './accounts/create-user-store.ts';
import { createPendingSignInStore } from './accounts/pending-sign-in-store.ts';
import { createAlertStore } from './alerts/alert-store.ts';
import { createAttackStore } from './attacks/create-attack-store.ts';
import { createAuditLog } from './audit/create-audit-log.ts';
import { refuseUnfinishedCopy } from './copy/copy-state.ts';
import { createDecisionStore } from './decisions/create-decision-store.ts';
import { createScoringLedger } from './decisions/create-scoring-ledger.ts';
import type { DecisionDeletion } from './decisions/decision-store.ts';
import { createPostgresScoring } from './decisions/postgres-scoring.ts';
import type { ScoringStatements, StartScoringQueue } from './decisions/scoring-statements.ts';
import { createDecisionSearch } from './decisions/search/create-decision-search.ts';
import { createSqliteScoring } from './decisions/sqlite-scoring.ts';
import { createDomainUserStore } from './domain-users/create-domain-user-store.ts';
import { type StorageEngine, withinTransaction } from './engine/engine.ts';
import { openPostgresEngine } from './engine/postgres-engine.ts';
import { isPostgresUrl } from './engine/postgres-url.ts';
import { requireWritable } from './engine/postgres-writable.ts';
import { openSqliteEngine } from './engine/sqlite-engine.ts';
import { rememberFile, sqlitePathOf } from './engine/sqlite-file.ts';
import { findLogDamage } from './engine/write-ahead-log.ts';
import { createExportStore } from './exports/create-export-store.ts';
import { createPostgresSettledId } from './exports/postgres-settled-id.ts';
import { type ConfirmedRevision, createConfirmedRevision } from './fleet/confirmed-revision.ts';
import { createFleetStore } from './fleet/create-fleet-store.ts';
import { databaseNow } from './fleet/database-now.ts';
import type { FleetStore } from './fleet/fleet-store.ts';
import { readHashSecret, replaceHashSecret } from './fleet/hash-secret.ts';
import { createHeldSignupStore } from './held-signups/create-held-signup-store.ts';
import { createReviewStore } from './held-signups/create-review-store.ts';
import { createIncidentStore } from './incidents/incident-store.ts';
import { createApiKeyStore } from './keys/create-api-key-store.ts';
import { createQuotaStore } from './keys/create-quota-store.ts';
import { createListEntryStore } from './lists/create-list-entry-store.ts';
import { POSTGRES_MIGRATIONS, SQLITE_MIGRATIONS } from './migrations/migrations.ts';
import { countDaysAhead } from './retention/decision-days.ts';
import { erasePerson } from './retention/erase-person.ts';
import { createPostgresDeletion } from './retention/postgres-deletion.ts';
import { createSqliteDeletion } from './retention/sqlite-deletion.ts';
import { createAggregation } from './rollups/aggregate-decisions.ts';
import { createDeltaAggregation } from './rollups/aggregate-deltas.ts';
import { createRollupStore } from './rollups/create-rollup-store.ts';
import { createFreshDecisions } from './rollups/fresh-decisions.ts';
import { newestId } from './rollups/read-pending.ts';
import type { RollupCounting } from './rollups/rollup-store.ts';
import type { ActRecords, Storage } from './storage.ts';

/**
 * `busyTimeoutMs` of a process that serves requests: SQLite blocks its event loop while it waits for the lock of
 * another process. After this time, the process tries again.
 */
export const SERVING_BUSY_TIMEOUT_MS = 5;

/** The part of a logger that this module uses. */
export interface StorageLog {
  error(facts: object, message: string): void;
}

export interface OpenStorageOptions {
  /** `sqlite:` and a path, which may be relative to the working directory, or `postgres://`. */
  readonly url: string;
  readonly clock: Clock;
  /** Receives the warning when damage lost commits. */
  readonly log?: StorageLog;
  /** The connection to the process that writes the decisions of this one. Left out: this process writes them. */
  readonly startQueue?: StartScoringQueue | undefined;
  /** The metrics of calls to PostgreSQL. */
  readonly metrics?: RecordsMetrics | undefined;
  /** The time for which SQLite may block this process while another process writes. Left out: 250 ms. */
  readonly busyTimeoutMs?: number | undefined;
}

/**
 * Opens the database, and creates or migrates it where needed. Completed writes survive `kill -9`; a power cut may lose
 * the last moments. Several processes may open the same file: counts stay exact, and a revocation takes effect in all of
 * them within a second.
 *
 * @param options.url `sqlite:` and a path, which may be relative to the working directory, or `postgres://`.
 * @throws StorageError when the address names another engine, or the database is damaged, of a newer version, an unfinished
 *   copy, or cannot be opened. A damaged database is never replaced.
 */
export async function openStorage(options: OpenStorageOptions): Promise<Storage> {
  const { url, clock } = options;
  const opened = isPostgresUrl(url)
    ? await openPostgresStorage(options)
    : await openSqliteStorage(sqlitePathOf(url), options);
  const { engine, scoring, counting, deletion, settledId, confirmed, fleet, now, ping, partitionsAhead } =
    opened;
  await refuseUnfinishedCopy(engine);
  const ledger = createScoringLedger(scoring, options.startQueue ?? scoring.startQueue);
  const recordsOf = (on: StorageEngine): ActRecords => ({
    accounts: createAccountStore(on, clock),
    users: createUserStore(on, clock),
    sessions: createSessionStore(on, clock),
    accountTokens: createAccountTokenStore(on, clock),
    twoFactor: createTwoFactorStore(on, clock),
    pendingSignIns: createPendingSignInStore(on, clock),
    passkeys: createPasskeyStore(on, clock),
    apiKeys: createApiKeyStore(on, scoring, { confirmed, clock }),
    decisionSearch: createDecisionSearch(on, clock),
    heldSignups: createHeldSignupStore(on),
    reviews: createReviewStore(on),
    audit: createAuditLog(on),
  });
  const records = recordsOf(engine);
  const decisions = createDecisionStore(engine, { ledger, deletion, clock });
  const rollups = createRollupStore(engine, counting);
  let closing: Promise<void> | null = null;
  return {
    ...records,
    async act(work) {
      const result = await engine.transact((trx) => work(recordsOf(withinTransaction(engine, trx))));
      records.apiKeys.refresh();
      return result;
    },
    quotas: createQuotaStore(engine),
    decisions,
    ledger,
    listEntries: createListEntryStore(engine),
    rollups,
    attacks: createAttackStore(engine, rollups),
    incidents: createIncidentStore(engine),
    alerts: createAlertStore(engine),
    exports: createExportStore(engine, { settledId, now }),
    domainUsers: createDomainUserStore(engine),
    fleet,
    async noteHashSecret(fingerprint) {
      const before = await readHashSecret(engine.db);
      if (before === fingerprint) return null;
      await engine.transact((trx) => replaceHashSecret(trx, fingerprint));
      return before;
    },
    erase: (person) => erasePerson(engine, { users: records.users, decisions }, person),
    now,
    ping,
    partitionsAhead,
    close() {
      closing ??= ledger.close().then(() => engine.close());
      return closing;
    },
  };
}

/** The parts that differ between the engines. */
interface OpenedEngine {
  readonly engine: StorageEngine;
  readonly scoring: ScoringStatements & { readonly startQueue: StartScoringQueue };
  readonly counting: RollupCounting;
  readonly deletion: DecisionDeletion;
  /** The newest id below which no decision can be committed any more. */
  readonly settledId: () => Promise<number>;
  readonly confirmed: ConfirmedRevision;
  readonly fleet: FleetStore | null;
  readonly now: () => Promise<number>;
  readonly ping: Storage['ping'];
  readonly partitionsAhead: Storage['partitionsAhead'];
}

/** A power cut may cause such damage too, so that it does not keep the process from starting. */
async function reportLogDamage(file: string, log: StorageLog): Promise<void> {
  const damage = await findLogDamage(file);
  if (damage === null) return;
  const { readBytes, lostBytes } = damage;
  log.error(
    { file: `${file}-wal`, readBytes, lostBytes },
    'the write-ahead log of the database is damaged: the last commits are lost, which may include revocations and counts; ' +
      'compare with a backup',
  );
}

/** The scoring statements are plain SQL for each engine: kysely takes 73 µs a row, these take 20 µs. */
async function openSqliteStorage(
  file: string,
  { clock, log, busyTimeoutMs }: OpenStorageOptions,
): Promise<OpenedEngine> {
  if (log) await reportLogDamage(file, log);
  const engine = await openSqliteEngine(file, SQLITE_MIGRATIONS, clock, busyTimeoutMs);
  try {
    const requireSameFile = rememberFile(file);
    const fresh = createFreshDecisions();
    const scoring = createSqliteScoring(engine.connection, fresh);
    return {
      engine,
      scoring,
      counting: createAggregation(engine, fresh),
      deletion: createSqliteDeletion(engine, clock),
      settledId: () => newestId(engine),
      // Processes on one file receive no notification of a change, so they must read again.
      confirmed: createConfirmedRevision(),
      fleet: null,
      now: async () => clock(),
      partitionsAhead: async () => null,
      async ping() {
        await engine.db.selectFrom('schema_versions').select('version').limit(1).execute();
        requireSameFile();
        scoring.requireAccepted();
      },
    };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

async function openPostgresStorage({ url, clock, metrics }: OpenStorageOptions): Promise<OpenedEngine> {
  const engine = await openPostgresEngine(url, POSTGRES_MIGRATIONS, clock, { called: metrics?.called });
  const confirmed = createConfirmedRevision();
  const scoring = createPostgresScoring(engine.pool, metrics?.inDoubt);
  return {
    engine,
    scoring,
    counting: createDeltaAggregation(engine),
    deletion: createPostgresDeletion(engine, clock),
    settledId: createPostgresSettledId(engine.pool),
    confirmed,
    fleet: createFleetStore(engine, { confirmed, clock }),
    now: () => databaseNow(engine),
    async ping() {
      await requireWritable(engine.pool);
      scoring.requireAccepted();
    },
    partitionsAhead: () => countDaysAhead(engine),
  };
}
