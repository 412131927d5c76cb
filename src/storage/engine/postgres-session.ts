import { loadPg } from './load-pg.ts';
import type { PoolSettings } from './postgres-pool.ts';

/** Longer than the server's own limit. After this time, the server does not answer at all. */
const GRACE_MS = 1_000;

/** A separate connection that stays open. Notifications of PostgreSQL arrive on it. */
export interface PostgresSession {
  /** @throws when the server does not answer. The session has ended then. */
  query<Row>(text: string): Promise<readonly Row[]>;
  readonly hasEnded: boolean;
  close(): Promise<void>;
}

/**
 * @param notified receives the payload of each notification of the channels that this session listens to.
 * @throws when the server does not answer, or refuses the connection.
 */
export async function openPostgresSession(
  { connectionString, applicationName, connectTimeoutMs, statementTimeoutMs, startup }: PoolSettings,
  notified: (payload: string) => void,
): Promise<PostgresSession> {
  const { Client } = loadPg();
  const client = new Client({
    connectionString,
    application_name: applicationName,
    ...startup,
    keepAlive: true,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: statementTimeoutMs + GRACE_MS,
  });
  let hasEnded = false;
  let closing: Promise<void> | null = null;
  const end = (): void => {
    hasEnded = true;
  };
  // Without a listener, a lost connection would end the process.
  client.on('error', end);
  client.on('end', end);
  client.on('notification', ({ payload = '' }) => notified(payload));
  const close = (): Promise<void> => {
    hasEnded = true;
    closing ??= client.end().catch(() => {});
    return closing;
  };
  try {
    await client.connect();
  } catch (error) {
    void close();
    throw error;
  }
  return {
    async query<Row>(text: string) {
      try {
        return (await client.query(text)).rows as Row[];
      } catch (error) {
        void close();
        throw error;
      }
    },
    get hasEnded() {
      return hasEnded;
    },
    close,
  };
}
