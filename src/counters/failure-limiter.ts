import { randomBytes } from 'node:crypto';
import { hashText, type TextHash } from './hash-text.ts';

/** Bounds how often something may fail under one key: wrong passwords for an account, or from an address. */
export interface FailureLimiter {
  /**
   * Takes a place before it is known how the attempt ends, so that attempts at the same moment count too.
   *
   * @returns 0, or the milliseconds until a place is free where none is.
   */
  take(key: string, now: number): number | Promise<number>;
  /** The attempt did not fail: its place is free again. */
  giveBack(key: string): void;
  /** All is forgiven. */
  forget(key: string): void;
}

/** Answers at once. */
export interface MemoryFailureLimiter extends FailureLimiter {
  take(key: string, now: number): number;
}

export interface FailureLimits {
  readonly limit: number;
  readonly windowMs: number;
  /** Rounded up to a multiple of eight. */
  readonly maxKeys: number;
}

interface Failures {
  readonly key: string;
  /** Oldest first, none of them past its window when it was last written. */
  times: readonly number[];
}

/** Keys that share a bucket. */
const WAYS = 8;

/**
 * Keeps the times of the last failures of each key; in memory, so that a restart forgives.
 *
 * A full bucket gives up the key with the fewest failures, the oldest among equals: a flood of fresh keys displaces its
 * own kind and cannot free a key that is at its limit. Which keys share a bucket is drawn at the start.
 */
export function createFailureLimiter({ limit, windowMs, maxKeys }: FailureLimits): MemoryFailureLimiter {
  const buckets: Failures[][] = Array.from({ length: Math.ceil(maxKeys / WAYS) }, () => []);
  const seed: TextHash = { high: randomBytes(4).readUInt32LE(), low: randomBytes(4).readUInt32LE() };

  const bucketOf = (key: string): Failures[] =>
    buckets[hashText(key, seed, { high: 0, low: 0 }).low % buckets.length] ?? [];

  /** A clock that was set back must not lock anybody out for longer than the window. */
  const within = (times: readonly number[], now: number) =>
    times.filter((time) => time > now - windowMs && time <= now);

  function makeRoom(bucket: Failures[], now: number): void {
    if (bucket.length < WAYS) return;
    for (const known of bucket) known.times = within(known.times, now);
    const coldest = bucket.reduce((cold, other) => (isColder(other, cold) ? other : cold));
    remove(bucket, coldest);
  }

  return {
    take(key, now) {
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
    giveBack(key) {
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
