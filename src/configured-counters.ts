import type { Clock } from './clock.ts';
import type { Config } from './config/config.ts';
import type { Counters } from './counters/counters.ts';
import { createMemoryCounters } from './counters/memory-counters.ts';
import type { CurrentDatasets } from './datasets/datasets.ts';
import { membersPerKeyFor } from './processors/velocity/members-per-key.ts';
import { createCohortLearner, rebuildCohorts } from './processors/velocity/rebuild-cohorts.ts';
import { type PastAttempt, rebuildVelocity } from './processors/velocity/rebuild-velocity.ts';
import type { Logger } from './telemetry/logger.ts';
import type { SharedCountersMetrics } from './telemetry/metrics.ts';

export interface CountersResources {
  readonly config: Config;
  /** Of the pseudonyms; nodes that share counters share it. */
  readonly hashSecret: string;
  /** Stored attempts since then, oldest first. */
  readonly recent: (since: number) => AsyncIterable<PastAttempt>;
  readonly datasets: CurrentDatasets;
  readonly metrics: SharedCountersMetrics;
  readonly clock: Clock;
  readonly log: Logger;
  /** Gives up when it is aborted, and throws its reason. */
  readonly stop?: AbortSignal | undefined;
}

export interface ConfiguredCounters extends Counters {
  /** Since when this node counts alone; null where counters are its own, or the shared ones answer. */
  readonly localSince: () => number | null;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Of the last hour: more would take longer than a start may. */
const MOST_AT_START = 100_000;
/** 40 seconds at 5,000 a second. */
const MOST_REFILLED = 200_000;

/**
 * Counters as `storage.counters` asks for them. In memory, the windows of the last day are filled again from stored
 * decisions. Shared ones outlive a start: the node's own beside them get the last hour.
 *
 * @throws ConfigError where the server refuses the login.
 */
export async function openConfiguredCounters(resources: CountersResources): Promise<ConfiguredCounters> {
  const { config, recent, datasets, metrics, clock, log, stop } = resources;
  const membersPerKey = membersPerKeyFor(config.scoring.velocity);
  const local = createMemoryCounters({ membersPerKey });
  const learn = createCohortLearner({ cohorts: local.cohorts, datasets, limits: config.scoring.velocity });
  if (config.storage.counters === 'memory') {
    await rebuildCohorts({ recent, learn, until: clock() - DAY_MS, stop });
    await rebuildVelocity({ recent: recent(clock() - DAY_MS), counters: local, learn, datasets, stop });
    return { ...local, localSince: () => null };
  }
  const { openRedisCounters } = await import('./counters/redis/open-redis-counters.ts');
  const lastHour = (most: number) => firstOf(recent(clock() - HOUR_MS), most);
  await rebuildCohorts({ recent, learn, until: clock() - HOUR_MS, stop });
  await rebuildVelocity({ recent: lastHour(MOST_AT_START), counters: local, learn, datasets, stop });
  return await openRedisCounters({
    ...{ url: config.storage.counters, secret: resources.hashSecret, membersPerKey },
    ...{ local, metrics, clock, log },
    refill: (target) => rebuildVelocity({ recent: lastHour(MOST_REFILLED), counters: target, datasets }),
  });
}

async function* firstOf<T>(items: AsyncIterable<T>, most: number): AsyncGenerator<T> {
  let count = 0;
  for await (const item of items) {
    if (++count > most) return;
    yield item;
  }
}
