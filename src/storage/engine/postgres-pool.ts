import type pg from 'pg';
import type { RecordsMetrics, RecordsOperation } from '../../telemetry/engine-metrics.ts';
import { StorageBusyError } from '../storage-error.ts';
import { cleanParameters } from './clean-text.ts';
import { loadClient, loadPg } from './load-pg.ts';
import { endsPool, translateConnectError, translatePostgresError } from './postgres-errors.ts';

/** Longer than the server's own limit. After this time, the server does not answer at all. */
const GRACE_MS = 1_000;
/** Further statements would wait longer than a client waits. */
const MAX_WAITING = 1_000;
const IDLE_MS = 300_000;
/** A short lifetime, so a node finds a new server that has taken over the same name. */
const LIFETIME_S = 3_600;
const INT8 = 20;
const NUMERIC = 1_700;

export interface PostgresPool {
  /**
   * One statement, which is a transaction of its own. It has no name: a pooler gives each statement another connection.
   *
   * @throws StorageAwayError when nothing was sent.
   * @throws StorageInDoubtError when the connection ended before the answer.
   */
  query<Row>(
    text: string,
    parameters: readonly unknown[],
    operation?: RecordsOperation,
  ): Promise<PostgresResult<Row>>;
  /** A connection for several statements. To be released. */
  connect(): Promise<PostgresClient>;
  close(): Promise<void>;
}

export interface PostgresClient {
  /** @param operation Of the metrics; left out: that of the pool. */
  query<Row>(
    text: string,
    parameters: readonly unknown[],
    operation?: RecordsOperation,
  ): Promise<PostgresResult<Row>>;
  release(): void;
}

export interface PostgresResult<Row> {
  readonly rows: Row[];
  /** Read by Kysely, which refuses a missing number. */
  readonly rowCount: number;
  readonly command: string;
}

export interface PoolSettings {
  /** Calls of this pool for the metrics. */
  readonly measured?: { readonly operation: RecordsOperation; readonly called: RecordsMetrics['called'] };
  readonly connectionString: string;
  /** For messages. */
  readonly name: string;
  readonly applicationName: string;
  readonly max: number;
  readonly connectTimeoutMs: number;
  readonly statementTimeoutMs: number;
  /** Settings of the session, sent when it begins. PgBouncer takes none of them. */
  readonly startup: Pick<
    pg.PoolConfig,
    'statement_timeout' | 'idle_in_transaction_session_timeout' | 'options'
  >;
}

/** Connections of one kind. Errors say which database and what to do; texts are cleaned; large integers are numbers. */
export function openPostgresPool(settings: PoolSettings): PostgresPool {
  const { name, connectTimeoutMs, statementTimeoutMs } = settings;
  let answeredAt = Number.NEGATIVE_INFINITY;
  let pool = createPool(settings);
  let closing: Promise<void> | null = null;

  function renew(): void {
    if (closing) return;
    const old = pool;
    pool = createPool(settings);
    old.end().catch(() => {});
  }

  async function connect(): Promise<PostgresClient> {
    if (closing) throw new StorageBusyError('The records are closed: the process is ending.');
    if (pool.waitingCount >= MAX_WAITING) {
      throw tooMany();
    }
    const startedAt = performance.now();
    try {
      return guard(await pool.connect());
    } catch (error) {
      throw isWaiting(error) ? tooMany() : translateConnectError(error, name);
    } finally {
      settings.measured?.called('connect', performance.now() - startedAt);
    }
  }

  /** The driver gives the same error for a silent server and when all connections are in use. */
  function isWaiting(error: unknown): boolean {
    const isTimeout = error instanceof Error && error.message.startsWith('timeout exceeded');
    return isTimeout && performance.now() - answeredAt < connectTimeoutMs;
  }

  function tooMany(): StorageBusyError {
    return new StorageBusyError(`Too many statements wait for a connection to ${name}: try again.`);
  }

  function guard(client: pg.PoolClient): PostgresClient {
    let isBroken = false;
    const end = (): void => {
      isBroken = true;
      // Of a connection with a running statement, this closes the socket.
      client.end().catch(() => {});
    };
    return {
      async query<Row>(
        text: string,
        parameters: readonly unknown[],
        operation = settings.measured?.operation,
      ) {
        let isOver = false;
        // After a pause of the whole process, timers run before sockets are read: the answer may have arrived.
        const endUnlessOver = () => void setImmediate(() => isOver || end());
        const timer = setTimeout(endUnlessOver, statementTimeoutMs + GRACE_MS);
        const startedAt = performance.now();
        try {
          const result = await client.query({ text, values: cleanParameters(parameters) });
          answeredAt = performance.now();
          // A text of several statements has a result for each, and no rows.
          return {
            rows: (result.rows ?? []) as Row[],
            rowCount: result.rowCount ?? 0,
            command: result.command,
          };
        } catch (error) {
          if (endsPool(error)) renew();
          const translated = translatePostgresError(error, name);
          isBroken ||= translated !== error;
          throw translated;
        } finally {
          isOver = true;
          clearTimeout(timer);
          if (operation) settings.measured?.called(operation, performance.now() - startedAt);
        }
      },
      release: () => client.release(isBroken),
    };
  }

  return {
    connect,
    async query<Row>(text: string, parameters: readonly unknown[], operation?: RecordsOperation) {
      const client = await connect();
      try {
        return await client.query<Row>(text, parameters, operation);
      } finally {
        client.release();
      }
    },
    close() {
      closing ??= pool.end();
      return closing;
    },
  };
}

function createPool({
  connectionString,
  applicationName,
  max,
  connectTimeoutMs,
  startup,
}: PoolSettings): pg.Pool {
  const { Pool, types } = loadPg();
  /** The driver gives integers of eight bytes and sums as text: `'9' > '10'`. */
  const getTypeParser = (type: number, format?: 'text' | 'binary') =>
    type === INT8 || type === NUMERIC ? toNumber : types.getTypeParser(type, format as 'text');
  const pool = new Pool({
    Client: loadClient(),
    connectionString,
    application_name: applicationName,
    max,
    ...startup,
    types: { getTypeParser },
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: IDLE_MS,
    maxLifetimeSeconds: LIFETIME_S,
  });
  // Without listeners, a connection that ends between two statements would end the process. The pool replaces it.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

function toNumber(text: string): number {
  const number = Number(text);
  if (Math.abs(number) > Number.MAX_SAFE_INTEGER) throw new RangeError(`${text} is too large for a number.`);
  return number;
}
