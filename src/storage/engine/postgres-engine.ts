import { hostname } from 'node:os';
import { CompiledQuery, Kysely, sql } from 'kysely';
import type { Clock } from '../../clock.ts';
import type { RecordsMetrics } from '../../telemetry/engine-metrics.ts';
import { StorageBusyError, StorageError } from '../storage-error.ts';
import type { StorageSchema } from '../storage-schema.ts';
import type { StorageEngine } from './engine.ts';
import { type Migration, migrate } from './migrate.ts';
import { COMMIT, createPostgresDialect, createReadingTransactions } from './postgres-dialect.ts';
import { postgresFragments } from './postgres-fragments.ts';
import { openPostgresPool, type PoolSettings, type PostgresPool } from './postgres-pool.ts';
import { openPostgresSession, type PostgresSession } from './postgres-session.ts';
import { type PostgresAddress, parsePostgresUrl } from './postgres-url.ts';

const STATEMENT_TIMEOUT_MS = 5_000;
const READING_TIMEOUT_MS = 10_000;
const MIGRATION_TIMEOUT_MS = 3_600_000;
const IDLE_IN_TRANSACTION_MS = 10_000;
/** A role or database may have other ones. With a snapshot for a whole transaction, a statement after a lock would fail. */
const OWN_DEFAULTS =
  '-c default_transaction_isolation=read\\ committed -c default_transaction_deferrable=off -c standard_conforming_strings=on';
/** Compiling a query of 100 ms takes longer than the query: 0.6 s for the first of a session. */
const READER_DEFAULTS = '-c default_transaction_read_only=on -c jit=off';
/** After a deadlock, or while another transaction holds a lock for longer than a statement may take. */
const ATTEMPTS = 3;
/** PostgreSQL cuts longer ones. */
const MAX_APPLICATION_NAME = 63;

export interface PostgresEngine extends StorageEngine {
  readonly kind: 'postgres';
  /** The writing connections, for statements for which kysely is too slow. */
  readonly pool: PostgresPool;
  /** One more connection, for notifications. */
  openSession(notified: (payload: string) => void): Promise<PostgresSession>;
}

export interface PostgresEngineOptions {
  /** The time limit of a statement that may write. */
  readonly statementTimeoutMs?: number;
  /** Receives the duration of each call. */
  readonly called?: RecordsMetrics['called'] | undefined;
}

/**
 * Connects to the database and migrates its schema. Any number of nodes may use it, also through PgBouncer in
 * transaction mode.
 *
 * @throws StorageError when it does not answer, refuses this user, or belongs to another program or a newer version.
 */
export async function openPostgresEngine(
  url: string,
  migrations: readonly Migration[],
  clock: Clock,
  { statementTimeoutMs = STATEMENT_TIMEOUT_MS, called }: PostgresEngineOptions = {},
): Promise<PostgresEngine> {
  const address = parsePostgresUrl(url);
  const isPooled = await migrateSchema(address, migrations, clock);
  const open = (kind: Pick<PoolKind, 'statementTimeoutMs' | 'isReader'>) =>
    openPostgresPool({
      ...settingsOf(address, { ...kind, isPooled, max: address.max }),
      ...(called && { measured: { operation: kind.isReader ? 'page' : 'statement', called } }),
    });
  const pool = open({ statementTimeoutMs, isReader: false });
  const readingPool = open({ statementTimeoutMs: READING_TIMEOUT_MS, isReader: true });
  const db = new Kysely<StorageSchema>({ dialect: createPostgresDialect(pool) });
  const reader = new Kysely<StorageSchema>({
    dialect: createPostgresDialect(
      isPooled ? createReadingTransactions(readingPool, READING_TIMEOUT_MS) : readingPool,
    ),
  });
  return {
    kind: 'postgres',
    name: address.name,
    db,
    reader,
    pool,
    openSession: (notified) =>
      openPostgresSession(
        settingsOf(address, { statementTimeoutMs, isPooled, isReader: true, max: 1 }),
        notified,
      ),
    transact: createTransact(db, isPooled ? statementTimeoutMs : null),
    lock,
    fragments: postgresFragments,
    // Deleted rows are in the log of PostgreSQL until it recycles it, which only the server itself can do.
    emptyLog: async () => true,
    // Of the own schema: another program may have its tables in another schema of the same database.
    async usedBytes() {
      const { rows } = await sql<{ readonly bytes: number }>`
        SELECT sum(pg_total_relation_size(oid)) AS bytes FROM pg_class WHERE relkind = 'r' AND relnamespace =
          (SELECT relnamespace FROM pg_class WHERE oid = 'schema_versions'::regclass)`.execute(reader);
      return rows[0]?.bytes ?? 0;
    },
    async close() {
      await Promise.all([db.destroy(), reader.destroy(), pool.close(), readingPool.close()]);
    },
  };
}

/**
 * The version of the server, as it says it. Changes nothing.
 *
 * @throws StorageError when it does not answer, or refuses this user.
 */
export async function readPostgresVersion(url: string): Promise<string> {
  const kind = { statementTimeoutMs: STATEMENT_TIMEOUT_MS, isPooled: true, isReader: true, max: 1 };
  const pool = openPostgresPool(settingsOf(parsePostgresUrl(url), kind));
  try {
    const { rows } = await pool.query<{ readonly server_version: string }>('SHOW server_version', []);
    return rows[0]?.server_version ?? '';
  } finally {
    await pool.close();
  }
}

/** Returns whether a pooler is between this process and the server. */
async function migrateSchema(
  address: PostgresAddress,
  migrations: readonly Migration[],
  clock: Clock,
): Promise<boolean> {
  const isPooled = await refusesSettings(address);
  const pool = openPostgresPool(
    settingsOf(address, { statementTimeoutMs: MIGRATION_TIMEOUT_MS, isPooled, isReader: false, max: 1 }),
  );
  const db = new Kysely<StorageSchema>({ dialect: createPostgresDialect(pool) });
  try {
    const transact = createTransact(db, isPooled ? MIGRATION_TIMEOUT_MS : null);
    const engine = { db, transact, lock, fragments: postgresFragments };
    await migrate({ ...engine, name: `The database ${address.name}` }, migrations, clock);
  } finally {
    await db.destroy();
  }
  return isPooled;
}

/** Whether a pooler is between: it refuses settings of a session. */
export async function refusesSettings(address: PostgresAddress): Promise<boolean> {
  const pool = openPostgresPool(
    settingsOf(address, {
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
      isPooled: false,
      isReader: true,
      max: 1,
    }),
  );
  try {
    await pool.query('SELECT 1', []);
    return false;
  } catch (error) {
    if (error instanceof StorageError && /unsupported startup parameter/.test(error.message)) return true;
    throw error;
  } finally {
    await pool.close();
  }
}

interface PoolKind {
  readonly statementTimeoutMs: number;
  readonly isPooled: boolean;
  readonly isReader: boolean;
  readonly max: number;
}

export function settingsOf(
  { connectionString, name, connectTimeoutMs }: PostgresAddress,
  { statementTimeoutMs, isPooled, isReader, max }: PoolKind,
): PoolSettings {
  return {
    connectionString,
    name,
    max,
    connectTimeoutMs,
    statementTimeoutMs,
    applicationName: `gatekeeper/${hostname()}`.slice(0, MAX_APPLICATION_NAME),
    startup: isPooled
      ? {}
      : {
          statement_timeout: statementTimeoutMs,
          idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
          options: isReader ? `${OWN_DEFAULTS} ${READER_DEFAULTS}` : OWN_DEFAULTS,
        },
  };
}

/** @param pooledTimeoutMs The limits that are set in each transaction, where a session has none. */
function createTransact(
  db: Kysely<StorageSchema>,
  pooledTimeoutMs: number | null,
): StorageEngine['transact'] {
  // A statement after a lock must see the commits during the wait, so there is no snapshot for the whole transaction.
  const begin = 'BEGIN ISOLATION LEVEL READ COMMITTED';
  const limits = `SET LOCAL statement_timeout = ${pooledTimeoutMs}; SET LOCAL idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`;
  const first = CompiledQuery.raw(pooledTimeoutMs === null ? begin : `${begin}; ${limits}`);
  return async (work) => {
    for (let left = ATTEMPTS; ; left--) {
      try {
        return await db.connection().execute(async (handle) => {
          await handle.executeQuery(first);
          try {
            const result = await work(handle);
            await handle.executeQuery(CompiledQuery.raw(COMMIT));
            return result;
          } catch (error) {
            await handle.executeQuery(CompiledQuery.raw('ROLLBACK')).catch(() => {});
            throw error;
          }
        });
      } catch (error) {
        if (!isWorthRetrying(error) || left <= 1) throw error;
      }
    }
  };
}

/** A transaction that PostgreSQL ended because of another one. */
function isWorthRetrying(error: unknown): boolean {
  const { code } = (error instanceof StorageBusyError ? (error.cause ?? {}) : {}) as {
    readonly code?: string;
  };
  return code === '40001' || code === '40P01';
}

/** In one round trip: the columns are computed in their order. `hashtextextended` gives the 64 bits that a lock takes. */
const lock: StorageEngine['lock'] = async (trx, names) => {
  const locks = names.map((name) => sql`pg_advisory_xact_lock(hashtextextended(${`gatekeeper ${name}`}, 0))`);
  await sql`SELECT ${sql.join(locks)}`.execute(trx);
};
