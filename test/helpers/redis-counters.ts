import { randomUUID } from 'node:crypto';
import { parseCountersUrl } from '../../src/config/counters-url.ts';
import type { Counters } from '../../src/counters/counters.ts';
import { createMemoryCounters } from '../../src/counters/memory-counters.ts';
import { createKeyNames } from '../../src/counters/redis/key-names.ts';
import { openRedis } from '../../src/counters/redis/open-redis.ts';
import type { RedisConnection } from '../../src/counters/redis/redis-connection.ts';
import { createRedisCounters } from '../../src/counters/redis/redis-counters.ts';
import { TAKE_BACK } from '../../src/counters/redis/scripts.ts';
import { createSharedCalls } from '../../src/counters/redis/shared-calls.ts';
import { createSharedWindows } from '../../src/counters/redis/shared-windows.ts';

/** On a busy machine; what must be quick says so itself. */
const PATIENCE_MS = 10_000;
/** As many tags reach each of three servers. */
const SERVERS_REACHED_BY = 50;

export async function connect(url: string): Promise<RedisConnection> {
  const parsed = parseCountersUrl(url);
  if (!parsed) throw new Error(`not a URL of counters: ${url}`);
  const connection = openRedis(parsed);
  await connection.settle(PATIENCE_MS);
  // A script that the server does not know yet takes two calls, and others may overtake the second.
  for (let i = 0; i < SERVERS_REACHED_BY; i++) await connection.run(TAKE_BACK, [`gk1:{${i}}`], [0, '']);
  return connection;
}

/** Counters on keys that no others use, by the time of the caller. A call that fails fails the test. */
export function emptyCounters(connection: RedisConnection, { membersPerKey = 64 } = {}): Counters {
  const names = createKeyNames(randomUUID());
  const calls = createSharedCalls({
    connection,
    onFault: () => {},
    onOpened: () => {},
    onClosed: () => {},
    deadlineMs: PATIENCE_MS,
  });
  const windows = createSharedWindows({
    ...{ calls, names, membersPerKey: () => membersPerKey, isCluster: connection.isCluster },
    singleLifetimeMs: () => 86_400_000,
  });
  const local = createMemoryCounters({
    maxKeysPerDimension: 64,
    membersPerKey: Math.min(64, membersPerKey),
  });
  const counters = createRedisCounters({
    ...{ calls, windows, names, local, cohorts: local.cohorts, nodesAlive: () => 1 },
    momentOf: (now: number) => now,
  });
  return {
    ...counters,
    async observe(observations, now) {
      const counts = await counters.observe(observations, now);
      const failed = counts.find(({ localBecause }) => localBecause !== undefined);
      if (failed) throw new Error(`a call failed: ${failed.localBecause}`);
      return counts;
    },
    sightings: null,
    close: async () => {},
  };
}
