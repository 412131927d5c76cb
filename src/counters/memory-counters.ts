import { LRUCache } from 'lru-cache';
import type { Cohorts } from './cohorts/cohort.ts';
import { type CohortSite, createCohortSite } from './cohorts/cohort-site.ts';
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
import { createMemberHash, randomSeed, type TextHash } from './hash-text.ts';
import { createMinuteLimiter } from './minute-limiter.ts';
import { createVerifiedPlaces } from './verified-places.ts';

/** Counters that answer immediately. */
export interface MemoryCounters extends Counters {
  observe(observations: readonly Observation[], now: number): readonly ObservedCounts[];
  acquirePerMinute(key: string, limit: number, now: number): MinuteOutcome;
  limitFailures(name: string, limits: FailureLimits): MemoryFailureLimiter;
  membersPerKey(): number;
  /** Keys that were full count on. Keys with more members count less from their next member on. */
  setMembersPerKey(members: number): void;
}

export interface MemoryCountersOptions {
  /** The limit of keys in each dimension. A key costs 52 bytes. */
  readonly maxKeysPerDimension?: number;
  /** Counts are exact below this number and do not exceed it. It must exceed three times the largest limit. */
  readonly membersPerKey?: number;
  /** The number of keys that can have a limit per minute at the same time. */
  readonly maxLimitedKeys?: number;
  /** Random by default, so that no sender can choose keys that share one bucket. The same seed gives the same counts. */
  readonly seed?: TextHash;
}

/** Enough for a day of 131,072 IP addresses: 7 MB for each dimension, 55 MB in total. A flood cannot raise this. */
const MAX_KEYS_PER_DIMENSION = 131_072;
/** Three times the largest default limit is 240. Five times that limit, on a shared network, is 400. */
const MEMBERS_PER_KEY = 512;
const MAX_LIMITED_KEYS = 10_000;

/**
 * Counters inside this process. They answer immediately and are lost at exit. Velocity is rebuilt from decisions at the
 * start.
 */
export function createMemoryCounters(options: MemoryCountersOptions = {}): MemoryCounters {
  const seed = options.seed ?? randomSeed();
  let membersPerKey = options.membersPerKey ?? MEMBERS_PER_KEY;
  const shape = {
    maxKeys: options.maxKeysPerDimension ?? MAX_KEYS_PER_DIMENSION,
    membersPerKey: () => membersPerKey,
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
    cohorts: createCohorts({ seed }),
    verified: createVerifiedPlaces(),
    sightings: null,
    acquirePerMinute: limiter.acquire,
    limitFailures: (_, limits) => createFailureLimiter(limits),
    membersPerKey: () => membersPerKey,
    setMembersPerKey(members) {
      membersPerKey = members;
    },
    close: async () => {},
  };
}

/** The limit of sites, each 115 KB. A new site replaces the least recently used site. */
const MAX_SITES = 100;

export function createCohorts({
  maxSites = MAX_SITES,
  seed = randomSeed(),
}: {
  readonly maxSites?: number;
  readonly seed?: TextHash;
} = {}): Cohorts {
  const sites = new LRUCache<string, CohortSite>({ max: maxSites });
  return {
    observe(sighting, now, options) {
      let site = sites.get(sighting.scope);
      if (!site) {
        site = createCohortSite(seed);
        sites.set(sighting.scope, site);
      }
      return site.observe(sighting, now, options);
    },
    takeBack(scope, counted) {
      sites.peek(scope)?.takeBack(counted);
    },
  };
}
