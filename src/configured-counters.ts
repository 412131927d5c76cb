import type { Clock } from './clock.ts';
import type { Config } from './config/config.ts';
import type { Counters } from './counters/counters.ts';
import { createMemoryCounters, type MemoryCounters } from './counters/memory-counters.ts';
import { REMEMBERED_MS } from './counters/verified-places.ts';
import type { CurrentDatasets } from './datasets/datasets.ts';
import { membersPerKeyFor } from './processors/velocity/members-per-key.ts';
import { createCohortLearner, rebuildCohorts } from './processors/velocity/rebuild-cohorts.ts';
import { type PastAttempt, rebuildVelocity } from './processors/velocity/rebuild-velocity.ts';
import type { VelocityLimits } from './processors/velocity/velocity-limits.ts';
import { type ConcludedAttempt, followVerified } from './processors/velocity/verified-signup.ts';
import type { SharedCountersMetrics } from './telemetry/engine-metrics.ts';
import type { Logger } from './telemetry/logger.ts';
import type { MeasuredMemory } from './telemetry/metric-sources.ts';

export interface CountersResources {
  readonly config: Config;
  /** The secret of the pseudonyms. Nodes that share counters must have the same secret. */
  readonly hashSecret: string;
  /** The stored attempts since that time, oldest first. */
  readonly recent: (since: number) => AsyncIterable<PastAttempt>;
  /** The attempts that were verified or labelled since that time, in the order of these events. */
  readonly concluded: (since: number) => AsyncIterable<ConcludedAttempt>;
  readonly datasets: CurrentDatasets;
  readonly metrics: SharedCountersMetrics;
  /** The number of processes that share the counters. */
  readonly nodesAlive: () => number;
  readonly clock: Clock;
  readonly log: Logger;
  /** When this signal is aborted, the opening stops and throws the reason of the signal. */
  readonly stop?: AbortSignal | undefined;
}

export interface ConfiguredCounters extends Counters {
  /**
   * The time since which this node counts alone. Null when its counters are local by configuration, or when the shared
   * counters answer.
   */
  readonly localSince: () => number | null;
  /** The memory of the server of shared counters. Null when the counters are local. */
  readonly memory: () => MeasuredMemory | null;
  /** Counts as far as these limits need. What is counted stays. */
  readonly configure: (limits: VelocityLimits) => void;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The most attempts of the last hour that are counted again at a start. More would make the start too slow. */
const MOST_AT_START = 100_000;
/** Shorter than the time in which a verified person can tell a colleague. */
const FOLLOW_EVERY_MS = 2_000;
/** The attempts of 40 seconds, at 5,000 attempts a second. */
const MOST_REFILLED = 200_000;

/**
 * Opens the counters that `storage.counters` names. Counters in memory lose their content at a restart, so the windows
 * of the last day are filled again from stored decisions. Shared counters keep their content; beside them, the local
 * counters of the node get the stored attempts of the last hour.
 *
 * @throws ConfigError when the server refuses the login.
 */
export async function openConfiguredCounters(resources: CountersResources): Promise<ConfiguredCounters> {
  const { config, recent, datasets, metrics, nodesAlive, clock, log, stop } = resources;
  const local = createMemoryCounters({ membersPerKey: membersPerKeyFor(config.scoring.velocity) });
  const configure = (limits: VelocityLimits) => local.setMembersPerKey(membersPerKeyFor(limits));
  const learn = createCohortLearner({ cohorts: local.cohorts, datasets, limits: config.scoring.velocity });
  if (config.storage.counters === 'memory') {
    await rebuildCohorts({ recent, learn, until: clock() - DAY_MS, stop });
    await rebuildVelocity({ recent: recent(clock() - DAY_MS), counters: local, learn, datasets, stop });
    return {
      ...local,
      localSince: () => null,
      memory: () => null,
      configure,
      close: await openVerifiedPlaces(local, resources),
    };
  }
  const { openRedisCounters } = await import('./counters/redis/open-redis-counters.ts');
  const lastHour = (most: number) => firstOf(recent(clock() - HOUR_MS), most);
  await rebuildCohorts({ recent, learn, until: clock() - HOUR_MS, stop });
  await rebuildVelocity({ recent: lastHour(MOST_AT_START), counters: local, learn, datasets, stop });
  const shared = await openRedisCounters({
    url: config.storage.counters,
    secret: resources.hashSecret,
    local,
    nodesAlive,
    metrics,
    clock,
    log,
    refill: (target) => rebuildVelocity({ recent: lastHour(MOST_REFILLED), counters: target, datasets }),
  });
  const stopFollowing = await openVerifiedPlaces(local, resources);
  return {
    ...shared,
    configure,
    async close() {
      await stopFollowing();
      await shared.close();
    },
  };
}

/**
 * First reads the verified and labelled attempts that are stored, then returns. After that it follows the new ones of
 * other requests and nodes.
 */
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
