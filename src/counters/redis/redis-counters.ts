import type { Counters, MinuteAllowance, ObservedCounts } from '../counters.ts';
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
  /** Counts everything as well, and answers where the server does not. */
  readonly local: MemoryCounters;
  /** Which time is sent: none in production, the caller's in tests. */
  readonly momentOf: (now: number) => Moment;
}

/** What an attempt's counts came from, for its end. */
interface Observed {
  readonly local: readonly ObservedCounts[];
  readonly parts: readonly SharedPart[];
  /** The answers that came in time, by part. */
  readonly answers: (readonly number[] | undefined)[];
}

/**
 * Counters that all nodes share, with those of this node beside them. Never rejects: a call that fails is counted by its
 * cause where it is made, and answered by this node.
 */
export function createRedisCounters(options: RedisCountersOptions): Omit<Counters, 'close'> {
  const { calls, windows, names, local, momentOf } = options;
  const observed = new WeakMap<readonly ObservedCounts[], Observed>();

  return {
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
        // At once where it can be, so that what this node asks next comes after it.
        if (answer) end(answer);
        else part.call.answer.then(end, () => {});
      });
    },

    async takePerMinute(key, limit, now): Promise<MinuteAllowance> {
      try {
        const [allowed, remaining = 0, retryAfterMs = 0] = await calls.run(
          TAKE_MINUTE,
          [names.limitKey('minute', key)],
          [momentOf(now), limit],
        ).inTime;
        if (allowed === 1) local.takePerMinute(key, limit, now);
        return { allowed: allowed === 1, remaining, retryAfterMs };
      } catch {
        return local.takePerMinute(key, limit, now);
      }
    },

    limitFailures(name, limits) {
      const own = local.limitFailures(name, limits);
      const { limit, windowMs } = limits;
      const nameOf = (key: string) => names.limitKey(name, key);
      return {
        async take(key, now) {
          const ownWaitMs = own.take(key, now);
          try {
            const args = [momentOf(now), limit, windowMs];
            const [waitMs = 0] = await calls.run(TAKE_FAILURE, [nameOf(key)], args).inTime;
            if (waitMs > 0 && ownWaitMs === 0) own.giveBack(key);
            return waitMs;
          } catch {
            return ownWaitMs;
          }
        },
        giveBack(key) {
          own.giveBack(key);
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
