import { parseCountersUrl } from '../../config/counters-url.ts';
import { beginCounters } from './begin-counters.ts';
import { openRedis } from './open-redis.ts';
import { createSharedCalls } from './shared-calls.ts';

/**
 * Throws the error with which a start would refuse these counters. A server that is away passes, because a start does not
 * wait for it.
 *
 * @param url `storage.counters` with the address of a server.
 * @throws ConfigError when the server refuses the login, the database or a required command.
 */
export async function checkCounters(url: string): Promise<void> {
  const parsed = parseCountersUrl(url);
  if (parsed === null) return;
  const connection = openRedis(parsed);
  const calls = createSharedCalls({ connection, onFault() {}, onOpened() {}, onClosed() {} });
  try {
    await beginCounters({ connection, calls, database: parsed.database });
  } finally {
    calls.close();
    connection.close();
  }
}
