import { hashText, randomSeed } from './hash-text.ts';

/** Limits how often attempts may fail under one key: wrong passwords for an account, or from an IP address. */
export interface FailureLimiter {
  /**
   * Counts a failure before the result is known, so that attempts at the same moment count too.
   * @returns 0; at the limit, the milliseconds until the next attempt is allowed.
   */
  acquire(key: string, now: number): number | Promise<number>;
  /** Frees the place of an attempt that did not fail. */
  release(key: string): void;
  /** Removes all failures of the key. */
  forget(key: string): void;
}

/** A failure limiter that answers immediately. */
export interface MemoryFailureLimiter extends FailureLimiter {
  acquire(key: string, now: number): number;
}

export interface FailureLimits {
  readonly limit: number;
  readonly windowMs: number;
  /** The number of keys, rounded up to a multiple of eight. */
  readonly maxKeys: number;
}

interface Failures {
  readonly key: string;
  /** The times of the failures, oldest first. At the last write, all of them were inside the window. */
  times: readonly number[];
}

/** The number of keys that share a bucket. */
const WAYS = 8;

/**
 * Keeps the times of the last failures of each key, in memory: a restart forgets them.
 *
 * A full bucket evicts the key with the fewest failures, and among equals the oldest key. So a flood of new keys evicts
 * its own keys and cannot reset a key that is at its limit. A random seed at the start decides which keys share a
 * bucket.
 */
export function createFailureLimiter({ limit, windowMs, maxKeys }: FailureLimits): MemoryFailureLimiter {
  const buckets: Failures[][] = Array.from({ length: Math.ceil(maxKeys / WAYS) }, () => []);
  const seed = randomSeed();

  const bucketOf = (key: string): Failures[] =>
    buckets[hashText(key, seed, { high: 0, low: 0 }).low % buckets.length] ?? [];

  /** The wait has a bound: after the clock was set back, it must not be longer than the window. */
  const within = (times: readonly number[], now: number) =>
    times.filter((time) => time > now - windowMs && time <= now);

  function makeRoom(bucket: Failures[], now: number): void {
    if (bucket.length < WAYS) return;
    for (const known of bucket) known.times = within(known.times, now);
    const coldest = bucket.reduce((cold, other) => (isColder(other, cold) ? other : cold));
    remove(bucket, coldest);
  }

  return {
    acquire(key, now) {
      const bucket = bucketOf(key);
      const known = bucket.find((failures) => failures.key === key);
      const times = within(known?.times ?? [], now);
      const [oldest = now] = times;
      if (times.length >= limit) return oldest + windowMs - now;
      if (known) {
        known.times = [...times, now];
      } else {
        makeRoom(bucket, now);
        bucket.push({ key, times: [now] });
      }
      return 0;
    },
    release(key) {
      const bucket = bucketOf(key);
      const known = bucket.find((failures) => failures.key === key);
      if (!known) return;
      known.times = known.times.slice(0, -1);
      if (known.times.length === 0) remove(bucket, known);
    },
    forget(key) {
      const bucket = bucketOf(key);
      const known = bucket.find((failures) => failures.key === key);
      if (known) remove(bucket, known);
    },
  };
}

function isColder({ times }: Failures, other: Failures): boolean {
  if (times.length !== other.times.length) return times.length < other.times.length;
  return (times.at(-1) ?? 0) < (other.times.at(-1) ?? 0);
}

function remove(bucket: Failures[], failures: Failures): void {
  bucket.splice(bucket.indexOf(failures), 1);
}
