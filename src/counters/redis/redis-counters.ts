import type { Cohorts } from '../cohorts/cohort.ts';
import type { Counters, MinuteOutcome, ObservedCounts } from '../counters.ts';
import type { MemoryCounters } from '../memory-counters.ts';
import { causeOf } from './fault.ts';
import type { KeyNames } from './key-names.ts';
import { FORGET, GIVE_BACK, TAKE_FAILURE, TAKE_MINUTE } from './scripts.ts';
import type { SharedCalls } from './shared-calls.ts';
import { type Moment, readCounts, type SharedPart, type SharedWindows } from './shared-windows.ts';

export interface RedisCountersOptions {
  readonly calls: SharedCalls;
  readonly windows: SharedWindows;
  readonly names: KeyNames;
  /** The counters of this node. They also count everything, and answer when the server does not. */
  readonly local: MemoryCounters;
  /** The number of processes that share the server, including this one. */
  readonly nodesAlive: () => number;
  /** The cohorts of this node. They also receive the signups of the other nodes. */
  readonly cohorts: Cohorts;
  /** The time that a call sends. In production it is empty; in tests it is the caller's time. */
  readonly momentOf: (now: number) => Moment;
}

/** The source of an attempt's counts. It is needed to settle the attempt. */
interface Observed {
  readonly local: readonly ObservedCounts[];
  readonly parts: readonly SharedPart[];
  /** The answers that arrived in time, by part. */
  readonly answers: (readonly number[] | undefined)[];
}

/**
 * Counters that all nodes share, together with local counters of this node. Never rejects: a failed call is counted by
 * its cause, and this node answers it.
 */
export function createRedisCounters(options: RedisCountersOptions): Omit<Counters, 'close' | 'sightings'> {
  const { calls, windows, names, local, nodesAlive, cohorts, momentOf } = options;
  const observed = new WeakMap<readonly ObservedCounts[], Observed>();

  return {
    cohorts,
    verified: local.verified,

    async observe(observations, now) {
      const own = local.observe(observations, now);
      const parts = windows.observe(observations, momentOf(now));
      const counts: ObservedCounts[] = [];
      const answers: (readonly number[] | undefined)[] = [];
      for (const [i, part] of parts.entries()) {
        try {
          const answer = await part.call.inTime;
          answers[i] = answer;
          readCounts(part, answer, counts);
        } catch (error) {
          const localBecause = causeOf(error);
          for (const place of part.places) {
            const count = own[place];
            if (count) counts[place] = { ...count, localBecause };
          }
        }
      }
      observed.set(counts, { local: own, parts, answers });
      return counts;
    },

    settle({ observations, counts, isRefused, now }) {
      const known = observed.get(counts);
      if (!known) return;
      local.settle({ observations, counts: known.local, isRefused, now });
      known.parts.forEach((part, i) => {
        const answer = known.answers[i];
        const end = (late: readonly number[]) => windows.settle(part, late, { observations, isRefused });
        // The end is immediate if possible, so that later calls of this node come after it.
        if (answer) end(answer);
        else part.call.answer.then(end, () => {});
      });
    },

    async acquirePerMinute(key, limit, now): Promise<MinuteOutcome> {
      try {
        const [allowed, remaining = 0, retryAfterMs = 0] = await calls.run(
          TAKE_MINUTE,
          [names.limitKey('minute', key)],
          [momentOf(now), limit],
        ).inTime;
        if (allowed === 1) local.acquirePerMinute(key, limit, now);
        return { allowed: allowed === 1, remaining, retryAfterMs };
      } catch {
        return local.acquirePerMinute(key, shareOf(limit, nodesAlive()), now);
      }
    },

    limitFailures(name, limits) {
      const own = local.limitFailures(name, limits);
      const { limit, windowMs } = limits;
      const nameOf = (key: string) => names.limitKey(name, key);
      return {
        async acquire(key, now) {
          const ownWaitMs = own.acquire(key, now);
          try {
            const args = [momentOf(now), limit, windowMs];
            const [waitMs = 0] = await calls.run(TAKE_FAILURE, [nameOf(key)], args).inTime;
            if (waitMs > 0 && ownWaitMs === 0) own.release(key);
            return waitMs;
          } catch {
            return ownWaitMs;
          }
        },
        release(key) {
          own.release(key);
          calls.run(GIVE_BACK, [nameOf(key)], []);
        },
        forget(key) {
          own.forget(key);
          calls.run(FORGET, [nameOf(key)], []);
        },
      };
    },
  };
}

/**
 * The limit of one of several nodes that count alone: together they do not exceed the whole limit. At least one, so
 * that a small limit does not refuse every client.
 */
function shareOf(limit: number, nodes: number): number {
  return Math.max(1, Math.floor(limit / Math.max(1, nodes)));
}
