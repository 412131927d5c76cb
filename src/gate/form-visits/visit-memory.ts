import { LRUCache } from 'lru-cache';
import type { SharedSightings } from '../../counters/counters.ts';

/** When each visitor was seen last, by keyed hashes. */
export interface VisitMemory {
  note(key: string, at: number, lifetimeMs: number): void;
  /** The last sighting by this process; null without one. */
  seenAt(key: string): number | null;
  /** From when on an absent sighting means that there was none. */
  completeSince(): number;
}

export interface VisitMemoryOptions {
  readonly shared: SharedSightings | null;
  /** The most sightings in memory, and the most that are shared in an hour. 100,000 by default: 21 MB, measured. */
  readonly maxSightings?: number;
}

const MAX_SIGHTINGS = 100_000;
/** One visitor loads many pages, and each sighting that is shared is a call. */
const SHARE_EVERY_MS = 60_000;
const HOUR_MS = 3_600_000;

/**
 * Bounded, in this process and on the server. A flood of visitors must not make the others look as if they had never
 * come: what was forgotten or not shared for lack of room makes the time before it unknown.
 */
export function createVisitMemory({ shared, maxSightings = MAX_SIGHTINGS }: VisitMemoryOptions): VisitMemory {
  let forgottenUntil = 0;
  let sharing = { hour: 0, count: 0 };
  const seen = new LRUCache<string, number>({
    max: maxSightings,
    dispose(at, _key, reason) {
      // The server still knows what this process forgets.
      if (reason === 'evict' && shared === null && at > forgottenUntil) forgottenUntil = at;
    },
  });

  function mayShare(at: number): boolean {
    const hour = Math.floor(at / HOUR_MS);
    if (hour !== sharing.hour) sharing = { hour, count: 0 };
    sharing.count++;
    return sharing.count <= maxSightings;
  }

  return {
    note(key, at, lifetimeMs) {
      if (shared !== null) {
        const before = seen.peek(key);
        if (before !== undefined && at - before < SHARE_EVERY_MS) return;
        if (mayShare(at)) shared.note(key, at, lifetimeMs + SHARE_EVERY_MS);
        else forgottenUntil = at;
      }
      seen.set(key, at);
    },
    // Without a change of the order: the oldest sighting is forgotten first.
    seenAt: (key) => seen.peek(key) ?? null,
    completeSince: () => Math.max(forgottenUntil, shared?.completeSince() ?? 0),
  };
}
