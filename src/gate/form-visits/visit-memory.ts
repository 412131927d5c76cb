import { LRUCache } from 'lru-cache';
import type { SharedSightings } from '../../counters/counters.ts';

/** The times of the last visits, by the keyed hashes of the visitors. */
export interface VisitMemory {
  note(key: string, at: number, lifetimeMs: number): void;
  /** The last sighting by this process; null without one. */
  seenAt(key: string): number | null;
  /** The time since which all visits are known. A missing entry since then means that there was no visit. */
  completeSince(): number;
}

export interface VisitMemoryOptions {
  readonly shared: SharedSightings | null;
  /**
   * The largest number of visits in memory, and the largest number that is shared in an hour. The default of 100,000
   * takes 21 MB, measured.
   */
  readonly maxSightings?: number;
}

const MAX_SIGHTINGS = 100_000;
/**
 * One visitor loads many pages, and each shared visit costs a call, so a repeated visit is not shared within this time.
 */
const SHARE_EVERY_MS = 60_000;
const HOUR_MS = 3_600_000;

/**
 * Bounded, in this process and on the server. A flood of visitors must not make other visitors look as if they had no
 * visit. So when a visit was deleted or not shared for lack of room, the time before it counts as unknown.
 */
export function createVisitMemory({ shared, maxSightings = MAX_SIGHTINGS }: VisitMemoryOptions): VisitMemory {
  let forgottenUntil = 0;
  let sharing = { hour: 0, count: 0 };
  // Made with the first visit: its memory is allocated at once, and a gate without such forms never needs it.
  let seen: LRUCache<string, number> | null = null;

  function createSeen() {
    return new LRUCache<string, number>({
      max: maxSightings,
      dispose(at, _key, reason) {
        // The server still has the visits that this process deletes.
        if (reason === 'evict' && shared === null && at > forgottenUntil) forgottenUntil = at;
      },
    });
  }

  function mayShare(at: number): boolean {
    const hour = Math.floor(at / HOUR_MS);
    if (hour !== sharing.hour) sharing = { hour, count: 0 };
    sharing.count++;
    return sharing.count <= maxSightings;
  }

  return {
    note(key, at, lifetimeMs) {
      if (shared !== null) {
        const before = seen?.peek(key);
        if (before !== undefined && at - before < SHARE_EVERY_MS) return;
        if (mayShare(at)) shared.note(key, at, lifetimeMs + SHARE_EVERY_MS);
        else forgottenUntil = at;
      }
      seen ??= createSeen();
      seen.set(key, at);
    },
    // The order stays the same: the oldest visit is deleted first.
    seenAt: (key) => seen?.peek(key) ?? null,
    completeSince: () => Math.max(forgottenUntil, shared?.completeSince() ?? 0),
  };
}
