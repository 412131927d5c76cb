import { randomBytes } from 'node:crypto';
import { createCohorts } from './cohorts/cohorts.ts';
import {
  COUNTER_DIMENSIONS,
  type CounterDimension,
  type Counters,
  type MinuteOutcome,
  type Observation,
  type ObservedCounts,
} from './counters.ts';
import { createDistinctTable, type DistinctTable } from './distinct-table.ts';
import { createFailureLimiter, type FailureLimits, type MemoryFailureLimiter } from './failure-limiter.ts';
import { createMemberHash } from './hash-text.ts';
import { createMinuteLimiter } from './minute-limiter.ts';
import { createVerifiedPlaces } from './verified-places.ts';

/** Counters that answer at once. */
export interface MemoryCounters extends Counters {
  observe(observations: readonly Observation[], now: number): readonly ObservedCounts[];
  acquirePerMinute(key: string, limit: number, now: number): MinuteOutcome;
  limitFailures(name: string, limits: FailureLimits): MemoryFailureLimiter;
}

export interface MemoryCountersOptions {
  /** Bound of each dimension; 52 bytes a key. */
  readonly maxKeysPerDimension?: number;
  /** Counts are exact below this number and stay at it above: it must exceed three times the largest limit. */
  readonly membersPerKey?: number;
  /** How many keys may have a per-minute limit at once. */
  readonly maxLimitedKeys?: number;
}

/** A day of 131,072 addresses: 7 MB a dimension, 55 MB in all, and no more under any flood. */
const MAX_KEYS_PER_DIMENSION = 131_072;
/** Three times the largest default limit is 240, five times it on a shared network 400. */
const MEMBERS_PER_KEY = 512;
const MAX_LIMITED_KEYS = 10_000;

/** Counters inside this process: answers at once, forgets at exit (velocity is rebuilt from decisions at start). */
export function createMemoryCounters(options: MemoryCountersOptions = {}): MemoryCounters {
  const bytes = randomBytes(8);
  const seed = { high: bytes.readUInt32LE(0), low: bytes.readUInt32LE(4) };
  const shape = {
    maxKeys: options.maxKeysPerDimension ?? MAX_KEYS_PER_DIMENSION,
    membersPerKey: options.membersPerKey ?? MEMBERS_PER_KEY,
    seed,
    hashMember: createMemberHash(seed),
  };
  const tables = Object.fromEntries(
    COUNTER_DIMENSIONS.map((dimension) => [dimension, createDistinctTable(shape)]),
  ) as Record<CounterDimension, DistinctTable>;
  const limiter = createMinuteLimiter({ maxKeys: options.maxLimitedKeys ?? MAX_LIMITED_KEYS });

  return {
    observe: (observations: readonly Observation[], now: number): readonly ObservedCounts[] =>
      observations.map(({ dimension, key, member, isProvisional }) =>
        isProvisional
          ? tables[dimension].observeProvisionally(key, member, now)
          : tables[dimension].observe(key, member, now),
      ),
    settle({ observations, counts, isRefused, now }) {
      observations.forEach(({ dimension, key, member, isProvisional }, i) => {
        if (!isProvisional) return;
        const pendingAt = counts[i]?.pendingAt;
        if (isRefused && pendingAt !== undefined) tables[dimension].takeBack(key, member, pendingAt);
        if (!isRefused && pendingAt === undefined) tables[dimension].observe(key, member, now);
      });
    },
    cohorts: createCohorts(),
    verified: createVerifiedPlaces(),
    sightings: null,
    acquirePerMinute: limiter.acquire,
    limitFailures: (_, limits) => createFailureLimiter(limits),
    close: async () => {},
  };
}
