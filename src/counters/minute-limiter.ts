import { LRUCache } from 'lru-cache';
import { type MinuteOutcome, WINDOWS_MS } from './counters.ts';

/** Limits requests in a sliding minute. */
export interface MinuteLimiter {
  acquire(key: string, limit: number, now: number): MinuteOutcome;
}

/** The requests of one key, counted by slices of time in a ring. */
interface Minute {
  readonly taken: Uint32Array;
  total: number;
  /** The last slice that was written, counted from the epoch. */
  slice: number;
}

/**
 * The length of a slice. A request is allowed again at most this much later than after a minute, so any 60 seconds stay
 * within the limit.
 */
const SLICE_MS = 500;
/** The number of slices that a minute can touch: 120 whole slices and a part of one more. */
const SLICES = WINDOWS_MS.per_minute / SLICE_MS + 1;

/**
 * Keeps `maxKeys` keys. Each needs 700 bytes, whatever its limit. A further key replaces the least recently used key.
 */
export function createMinuteLimiter({ maxKeys }: { readonly maxKeys: number }): MinuteLimiter {
  // Made with the first request: its memory is allocated at once.
  let minutes: LRUCache<string, Minute> | null = null;

  function acquire(key: string, limit: number, now: number): MinuteOutcome {
    minutes ??= new LRUCache({ max: maxKeys });
    const slice = Math.floor(now / SLICE_MS);
    const minute = minutes.get(key) ?? { taken: new Uint32Array(SLICES), total: 0, slice };
    minutes.set(key, minute);
    advance(minute, slice);
    if (minute.total >= limit) {
      return { allowed: false, remaining: 0, retryAfterMs: waitMs(minute, limit, now) };
    }
    minute.total++;
    minute.taken[minute.slice % SLICES] = (minute.taken[minute.slice % SLICES] ?? 0) + 1;
    return { allowed: true, remaining: limit - minute.total, retryAfterMs: 0 };
  }

  return { acquire };
}

/**
 * Removes the slices that have left the minute. If the clock was set back by more than a minute, removes all slices.
 */
function advance(minute: Minute, slice: number): void {
  const steps = slice - minute.slice;
  if (Math.abs(steps) >= SLICES) {
    minute.taken.fill(0);
    minute.total = 0;
    minute.slice = slice;
    return;
  }
  for (let step = 1; step <= steps; step++) {
    const index = (minute.slice + step) % SLICES;
    minute.total -= minute.taken[index] ?? 0;
    minute.taken[index] = 0;
  }
  if (steps > 0) minute.slice = slice;
}

/** The milliseconds until one request is allowed. */
function waitMs(minute: Minute, limit: number, now: number): number {
  let left = minute.total;
  for (let slice = minute.slice - SLICES + 1; slice <= minute.slice; slice++) {
    left -= minute.taken[slice % SLICES] ?? 0;
    if (left < limit) return (slice + SLICES) * SLICE_MS - now;
  }
  return WINDOWS_MS.per_minute;
}
