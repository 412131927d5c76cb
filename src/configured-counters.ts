import type { Clock } from './clock.ts';
import type { Config } from './config/config.ts';
import type { Counters } from './counters/counters.ts';
import { createMemoryCounters, type MemoryCounters } from './counters/memory-counters.ts';
import { REMEMBERED_MS } from './counters/verified-places.ts';
import type { CurrentDatasets } from './datasets/datasets.ts';
import { membersPerKeyFor } from './processors/velocity/members-per-key.ts';
import { createCohortLearner, rebuildCohorts } from './processors/velocity/rebuild-cohorts.ts';
import { type PastAttempt, rebuildVelocity } from './processors/velocity/rebuild-velocity.ts';
import { type ConcludedAttempt, followVerified } from './processors/velocity/verified-signup.ts';
import type { SharedCountersMetrics } from './telemetry/engine-metrics.ts';
import type { Logger } from './telemetry/logger.ts';
import type { MeasuredMemory } from './telemetry/metric-sources.ts';

export interface CountersResources {
  readonly config: Config;
  /** Of the pseudonyms; nodes that share counters share it. */
  readonly hashSecret: string;
  /** Stored attempts since then, oldest first. */
  readonly recent: (since: number) => AsyncIterable<PastAttempt>;
  /** Stored attempts in the order in which they were verified or labelled, from that time on. */
  readonly concluded: (since: number) => AsyncIterable<ConcludedAttempt>;
  readonly datasets: CurrentDatasets;
  readonly metrics: SharedCountersMetrics;
  /** How many processes share the counters. */
  readonly nodesAlive: () => number;
  readonly clock: Clock;
  readonly log: Logger;
  /** Gives up when it is aborted, and throws its reason. */
  readonly stop?: AbortSignal | undefined;
}

export interface ConfiguredCounters extends Counters {
  /** Since when this node counts alone; null where counters are its own, or the shared ones answer. */
  readonly localSince: () => number | null;
  /** Of the server of shared counters; null where counters are this node's own. */
  readonly memory: () => MeasuredMemory | null;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Of the last hour: more would take longer than a start may. */
const MOST_AT_START = 100_000;
/** Sooner than a person who verified can tell a colleague. */
const FOLLOW_EVERY_MS = 2_000;
/** 40 seconds at 5,000 a second. */
const MOST_REFILLED = 200_000;

/**
 * Counters as `storage.counters` asks for them. In memory, the windows of the last day are filled again from stored
 * decisions. Shared ones outlive a start: the node's own beside them get the last hour.
 *
 * @throws ConfigError where the server refuses the login.
 */
export async function openConfiguredCounters(resources: CountersResources): Promise<ConfiguredCounters> {
  const { config, recent, datasets, metrics, nodesAlive, clock, log, stop } = resources;
  const membersPerKey = membersPerKeyFor(config.scoring.velocity);
  const local = createMemoryCounters({ membersPerKey });
  const learn = createCohortLearner({ cohorts: local.cohorts, datasets, limits: config.scoring.velocity });
  if (config.storage.counters === 'memory') {
    await rebuildCohorts({ recent, learn, until: clock() - DAY_MS, stop });
    await rebuildVelocity({ recent: recent(clock() - DAY_MS), counters: local, learn, datasets, stop });
    return {
      ...local,
      localSince: () => null,
      memory: () => null,
      close: await openVerifiedPlaces(local, resources),
    };
  }
  const { openRedisCounters } = await import('./counters/redis/open-redis-counters.ts');
  const lastHour = (most: number) => firstOf(recent(clock() - HOUR_MS), most);
  await rebuildCohorts({ recent, learn, until: clock() - HOUR_MS, stop });
  await rebuildVelocity({ recent: lastHour(MOST_AT_START), counters: local, learn, datasets, stop });
  const shared = await openRedisCounters({
    ...{ url: config.storage.counters, secret: resources.hashSecret, membersPerKey },
    ...{ local, nodesAlive, metrics, clock, log },
    refill: (target) => rebuildVelocity({ recent: lastHour(MOST_REFILLED), counters: target, datasets }),
  });
  const stopFollowing = await openVerifiedPlaces(local, resources);
  return {
    ...shared,
    async close() {
      await stopFollowing();
      await shared.close();
    },
  };
}

/** Reads what is remembered before it returns, and then what other requests and nodes conclude. */
async function openVerifiedPlaces(
  { verified: places }: MemoryCounters,
  { concluded, datasets, clock, log }: CountersResources,
): Promise<() => Promise<void>> {
  const follow = followVerified(
    { concluded, places, email: () => datasets.current.email, clock },
    clock() - REMEMBERED_MS,
  );
  await follow();
  let running: Promise<void> | null = null;
  let isFailing = false;
  const timer = setInterval(() => {
    running ??= follow()
      .then(() => {
        isFailing = false;
      })
      .catch((err: unknown) => {
        if (!isFailing) log.warn({ err }, 'verified mailboxes were not read; limits do not grow meanwhile');
        isFailing = true;
      })
      .finally(() => {
        running = null;
      });
  }, FOLLOW_EVERY_MS).unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}

async function* firstOf<T>(items: AsyncIterable<T>, most: number): AsyncGenerator<T> {
  let count = 0;
  for await (const item of items) {
    if (++count > most) return;
    yield item;
  }
}
