import test from 'ava';
import fc from 'fast-check';
import type { Counters, Observation } from '../../../src/counters/counters.ts';
import { createMemoryCounters } from '../../../src/counters/memory-counters.ts';
import type { RedisConnection } from '../../../src/counters/redis/redis-connection.ts';
import { IS_FULL_PROOF } from '../../helpers/full-proof.ts';
import { connect, emptyCounters } from '../../helpers/redis-counters.ts';
import {
  MISSING_REDIS_PROGRAMS,
  REDIS_PROGRAMS,
  type RedisServer,
  startRedis,
  startRedisCluster,
} from '../../helpers/redis-server.ts';

const START = Date.UTC(2026, 10, 21);
const MINUTE = 60_000;
const HISTORIES = IS_FULL_PROOF ? 10_000 : 400;
const MEMBERS_PER_KEY = 16;
/** Room for all members: which of two members of one millisecond makes room is left open. */
const ALL_MEMBERS = 32;
/** Those that are kept by a key of their own; the others come with these in every attempt. */
const DIMENSIONS = ['subnet', 'mailbox', 'domain', 'template'] as const;

const observation: fc.Arbitrary<Observation> = fc.record({
  dimension: fc.constantFrom(...DIMENSIONS),
  key: fc.constantFrom('a', 'b'),
  member: fc.nat(24).map((n) => `m${n}`),
  isProvisional: fc.boolean(),
});
const attempt = fc.record({
  /**
   * Forward, and never 0: memory keeps members in the order of observation, Redis in the order of time, and which of two
   * members of one millisecond makes room is left open.
   */
  afterMs: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 1, max: 30_000 }) },
    fc.integer({ min: 1, max: 90 * MINUTE }),
    fc.constantFrom(MINUTE, 10 * MINUTE, 60 * MINUTE, 1_440 * MINUTE),
  ),
  observations: fc.uniqueArray(observation, {
    minLength: 1,
    maxLength: 5,
    selector: ({ dimension, key }) => `${dimension} ${key}`,
  }),
  end: fc.constantFrom('refused', 'accepted', 'never'),
});
interface Engine {
  readonly program: string;
  readonly servers: readonly RedisServer[];
  readonly connection: RedisConnection;
}
type Attempt = typeof attempt extends fc.Arbitrary<infer T> ? T : never;

async function countsOf(counters: Counters, history: readonly Attempt[]): Promise<readonly string[]> {
  const all: string[] = [];
  let now = START;
  for (const { afterMs, observations, end } of history) {
    now += afterMs;
    const counts = await counters.observe(observations, now);
    all.push(JSON.stringify(counts));
    if (end !== 'never') counters.settle({ observations, counts, isRefused: end === 'refused', now });
  }
  return all;
}

/** Attempts that arrive at the same moment. Each ends after all were counted. */
async function countsOfMoments(
  counters: Counters,
  moments: readonly (readonly Attempt[])[],
): Promise<readonly string[]> {
  const all: string[] = [];
  let now = START;
  for (const attempts of moments) {
    now += attempts[0]?.afterMs ?? 0;
    const counted = await Promise.all(
      attempts.map(({ observations }) => counters.observe(observations, now)),
    );
    all.push(JSON.stringify(counted));
    attempts.forEach(({ observations, end }, i) => {
      const counts = counted[i] ?? [];
      if (end !== 'never') counters.settle({ observations, counts, isRefused: end === 'refused', now });
    });
  }
  return all;
}

const engines: Engine[] = await Promise.all(
  REDIS_PROGRAMS.map(async (program) => {
    const server = await startRedis([], { program });
    return { program, servers: [server], connection: await connect(`redis://127.0.0.1:${server.port}`) };
  }),
);
for (const program of REDIS_PROGRAMS.slice(0, 1)) {
  const servers = await startRedisCluster(program);
  const hosts = servers.map(({ port }) => `127.0.0.1:${port}`).join(',');
  engines.push({
    program: `${program} in a cluster`,
    servers,
    connection: await connect(`redis+cluster://${hosts}`),
  });
}
for (const { program, servers, connection } of engines) {
  test.after.always(async () => {
    connection.close();
    for (const server of servers) await server.stop();
  });
  const openBoth = (membersPerKey = MEMBERS_PER_KEY) =>
    [
      emptyCounters(connection, { membersPerKey }),
      createMemoryCounters({ maxKeysPerDimension: 64, membersPerKey }),
    ] as const;

  test(`${HISTORIES} random histories give the same counts in memory and in ${program}`, async (t) => {
    t.timeout(300_000);
    const history = fc.array(attempt, { minLength: 5, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(history, async (attempts) => {
        const [shared, memory] = openBoth();
        t.deepEqual(await countsOf(shared, attempts), await countsOf(memory, attempts));
      }),
      { numRuns: HISTORIES },
    );
    t.pass();
  });

  test(`attempts of the same moment are counted as one after the other in memory and in ${program}`, async (t) => {
    t.timeout(300_000);
    const moment = fc.array(attempt, { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(fc.array(moment, { minLength: 2, maxLength: 12 }), async (moments) => {
        const [shared, memory] = openBoth(ALL_MEMBERS);
        t.deepEqual(await countsOfMoments(shared, moments), await countsOfMoments(memory, moments));
      }),
      { numRuns: HISTORIES / 5 },
    );
    t.pass();
  });

  test(`places of a sliding minute are taken alike in memory and in ${program}`, async (t) => {
    const step = fc.record({
      afterMs: fc.oneof(fc.nat(900), fc.nat(70_000)),
      limit: fc.integer({ min: 0, max: 6 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const [shared, memory] = openBoth();
        let now = START;
        for (const { afterMs, limit } of steps) {
          now += afterMs;
          t.deepEqual(
            await shared.acquirePerMinute('account', limit, now),
            memory.acquirePerMinute('account', limit, now),
          );
        }
      }),
      { numRuns: HISTORIES / 10 },
    );
  });

  test(`failures are limited alike in memory and in ${program}`, async (t) => {
    const limits = { limit: 4, windowMs: MINUTE, maxKeys: 64 };
    const step = fc.record({
      afterMs: fc.oneof(fc.nat(2_000), fc.nat(70_000), fc.integer({ min: -90_000, max: -1 })),
      key: fc.constantFrom('a', 'b'),
      act: fc.constantFrom('take', 'take', 'take', 'giveBack', 'forget'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const [shared, memory] = openBoth().map((counters) => counters.limitFailures('sign-in', limits));
        let now = START;
        for (const { afterMs, key, act } of steps) {
          now += afterMs;
          if (act === 'take') t.is(await shared?.acquire(key, now), await memory?.acquire(key, now));
          else if (act === 'giveBack') for (const limiter of [shared, memory]) limiter?.release(key);
          else for (const limiter of [shared, memory]) limiter?.forget(key);
        }
      }),
      { numRuns: HISTORIES / 10 },
    );
  });
}
for (const program of MISSING_REDIS_PROGRAMS)
  test.skip(`random histories in memory and in a server: ${program} is missing here`, () => {});
