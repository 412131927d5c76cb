import { refusesSettings, settingsOf } from './postgres-engine.ts';
import type { PoolSettings } from './postgres-pool.ts';
import { parsePostgresUrl } from './postgres-url.ts';

/** A person waits for the command, so it does not wait long for a server that does not answer. */
const CONNECT_TIMEOUT_MS = 2_000;
const STATEMENT_TIMEOUT_MS = 5_000;

/** The settings of one connection that only reads, for the checks of a command. */
export interface PostgresProbe {
  readonly settings: PoolSettings;
  /** Whether a pooler is between this process and the server. */
  readonly isPooled: boolean;
}

/** @throws StorageError when the server does not answer soon, or refuses this user. */
export async function probePostgres(url: string): Promise<PostgresProbe> {
  const parsed = parsePostgresUrl(url);
  const address = { ...parsed, connectTimeoutMs: Math.min(parsed.connectTimeoutMs, CONNECT_TIMEOUT_MS) };
  const isPooled = await refusesSettings(address);
  const kind = { statementTimeoutMs: STATEMENT_TIMEOUT_MS, isPooled, isReader: true, max: 1 };
  return { settings: settingsOf(address, kind), isPooled };
}
