import { ConfigError } from '../../config/config-error.ts';
import { CountersFault, causeOf } from './fault.ts';
import { PREFIX } from './key-names.ts';
import type { RedisConnection } from './redis-connection.ts';
import { OBSERVE, PROBE_MEMBER } from './scripts.ts';
import type { SharedCalls } from './shared-calls.ts';

/** The longest time that a start waits for a server that is away. */
export const START_WAIT_MS = 1_000;
const FAILURES_TO_OPEN = 3;
/** The key that each start writes and reads. */
const CHECKED = `${PREFIX}{check}`;

interface StartedConnection {
  readonly connection: RedisConnection;
  readonly calls: SharedCalls;
  readonly database: number;
}

/**
 * Runs the calls of one decision. A server that is away opens the circuit breaker immediately.
 *
 * @throws ConfigError when the server refuses the login, the database or a required command.
 */
export async function beginCounters({ connection, calls, database }: StartedConnection): Promise<void> {
  const refusal = await connection.settle(START_WAIT_MS);
  if (refusal !== null) throw refusedStart(refusal, database);
  if (database !== 0) await selectDatabase(connection, database);
  const key = `${PREFIX}{check}probe`;
  try {
    await withinStart(
      connection
        .run(OBSERVE, [key], ['', 2, 1_000, PROBE_MEMBER])
        .then(() => connection.call('set', CHECKED, '1', 'PX', 1_000))
        .then(() => connection.call('get', CHECKED)),
    );
  } catch (error) {
    if (causeOf(error) === 'denied') throw refusedStart((error as Error).message, database);
    for (let i = 0; i < FAILURES_TO_OPEN; i++) {
      await calls.run(OBSERVE, [key], ['', 2, 1_000, PROBE_MEMBER]).inTime.catch(() => {});
    }
  }
}

/** When the server refuses the database, the client would count in database 0. A server that is away refuses nothing. */
async function selectDatabase(connection: RedisConnection, database: number): Promise<void> {
  try {
    await withinStart(connection.call('select', String(database)));
  } catch (error) {
    const cause = causeOf(error);
    if (cause !== 'failed' && cause !== 'denied') return;
    throw refusedDatabase(error, database);
  }
}

/** The refusal of the database can come before the check of the database: while the client connects, or from the first command. */
function refusedStart(said: string, database: number): ConfigError {
  if (database !== 0 && said.includes("'select'")) return refusedDatabase(said, database);
  return refused(
    `the server refuses what counters need: ${sentence(said)} Check user and password; the user needs ` +
      `~${PREFIX}* +@write +@read +@scripting +info +time +ping`,
  );
}

function refusedDatabase(said: unknown, database: number): ConfigError {
  return refused(
    `the server refuses database ${database} of the URL: ${sentence(said)} Name another database; the user needs +select`,
  );
}

/** What the server or the client said, with one full stop. */
function sentence(said: unknown): string {
  return `${said instanceof Error ? said.message : said}`.replace(/\.?$/, '.');
}

function refused(message: string): ConfigError {
  return new ConfigError([{ path: 'storage.counters', line: 1, column: 1, message, hint: null }], null);
}

function withinStart<T>(answer: Promise<T>): Promise<T> {
  return Promise.race([
    answer,
    new Promise<never>((_, reject) => {
      setTimeout(() => reject(new CountersFault('timeout')), START_WAIT_MS).unref();
    }),
  ]);
}
