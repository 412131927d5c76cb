import { parseCountersUrl } from '../../config/counters-url.ts';
import { openRedis } from './open-redis.ts';
import type { MemoryLimit } from './redis-connection.ts';

/** The longest wait. A command about the configuration should not wait for a server that is away. */
const WAIT_MS = 2_000;

/**
 * The memory that each server of shared counters may use.
 *
 * @param url `storage.counters` with the address of a server.
 * @returns null when a server does not answer within two seconds, or refuses the question.
 */
export async function readMemoryLimits(url: string): Promise<readonly MemoryLimit[] | null> {
  const parsed = parseCountersUrl(url);
  if (parsed === null) return null;
  const connection = openRedis(parsed);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), WAIT_MS);
  });
  try {
    const limits = connection.settle(WAIT_MS).then(() => connection.memoryLimits());
    return await Promise.race([limits.catch(() => null), late]);
  } finally {
    clearTimeout(timer);
    connection.close();
  }
}
