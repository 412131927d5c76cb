import { LRUCache } from 'lru-cache';

/** Bounds how often something may fail under one key: wrong passwords for an account, or from an address. */
export interface FailureLimiter {
  /**
   * Takes a place before it is known how the attempt ends, so that attempts at the same moment count too.
   *
   * @returns 0, or the milliseconds until a place is free where none is.
   */
  take(key: string, now: number): number;
  /** The attempt did not fail: its place is free again. */
  giveBack(key: string): void;
  /** All is forgiven. */
  forget(key: string): void;
}

export interface FailureLimits {
  readonly limit: number;
  readonly windowMs: number;
  /** Beyond, the key longest unused starts anew. */
  readonly maxKeys: number;
}

/** Keeps the times of the last failures of each key; in memory, so that a restart forgives. */
export function createFailureLimiter({ limit, windowMs, maxKeys }: FailureLimits): FailureLimiter {
  const failures = new LRUCache<string, readonly number[]>({ max: maxKeys });
  return {
    take(key, now) {
      // A clock that was set back must not lock anybody out for longer than the window.
      const times = (failures.get(key) ?? []).filter((time) => time > now - windowMs && time <= now);
      const [oldest = now] = times;
      if (times.length >= limit) return oldest + windowMs - now;
      failures.set(key, [...times, now]);
      return 0;
    },
    giveBack(key) {
      const times = failures.get(key);
      if (times) failures.set(key, times.slice(0, -1));
    },
    forget(key) {
      failures.delete(key);
    },
  };
}
