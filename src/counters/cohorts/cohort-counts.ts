/** The last signups of a site, and the number of them in each place, for windows of several lengths. */
export interface CohortWindows {
  /** The number of the next signup. */
  readonly next: () => number;
  /** Adds a signup with its places (0: no place). Removes the signups that leave the windows. */
  push(now: number, places: Uint16Array): void;
  /** Removes a signup from all counts, if it is still in the windows. The callback gets its places. */
  remove(number: number, onPlace: (place: number) => void): void;
  /** The number of signups in the window, including removed ones. */
  lengthOf(window: number): number;
  /** The time of the oldest signup in the window. */
  sinceOf(window: number): number;
  countOf(window: number, place: number): number;
  /** Whether a signup of the place is in any window. */
  has(place: number): boolean;
  /** Fills the list with the times of the last signups of a place, newest first. Returns their number. */
  lastTimes(place: number, into: Float64Array): number;
}

/** The lengths of the windows in signups, not in minutes: so they fit sites of every size. */
export const WINDOW_SIGNUPS: readonly number[] = [32, 128, 1024];
const LONGEST = Math.max(...WINDOW_SIGNUPS);
/** Older signups do not belong to a present surge. */
const MAX_AGE_MS = 26 * 3_600_000;
/** If an earlier signup has a later time than the next one, the clock was set back. */
const LATE_MS = 60_000;

/**
 * @param placesPerSignup The number of places of one signup.
 * @param size The number of all places.
 */
export function createCohortWindows(size: number, placesPerSignup: number): CohortWindows {
  const times = new Float64Array(LONGEST);
  const places = new Uint16Array(LONGEST * placesPerSignup);
  const counts = WINDOW_SIGNUPS.map(() => new Uint16Array(size));
  const oldest = WINDOW_SIGNUPS.map(() => 0);
  const longestCounts = counts[WINDOW_SIGNUPS.indexOf(LONGEST)];
  let next = 0;

  /** Adds a number to the counts of all places of a signup. */
  function change(window: number, number: number, by: number): void {
    const table = counts[window];
    const first = (number % LONGEST) * placesPerSignup;
    if (!table) return;
    for (let i = first; i < first + placesPerSignup; i++) {
      const place = places[i] ?? 0;
      if (place !== 0) table[place] = (table[place] ?? 0) + by;
    }
  }

  function expire(window: number, now: number): void {
    const length = WINDOW_SIGNUPS[window] ?? LONGEST;
    let first = oldest[window] ?? 0;
    while (first < next && (next - first >= length || (times[first % LONGEST] ?? 0) < now - MAX_AGE_MS)) {
      change(window, first, -1);
      first++;
    }
    oldest[window] = first;
  }

  function afterClockSetBack(now: number): void {
    for (let i = 0; i < LONGEST; i++) times[i] = Math.min(times[i] ?? 0, now);
  }

  return {
    next: () => next,
    push(now, added) {
      if (next > 0 && (times[(next - 1) % LONGEST] ?? 0) > now + LATE_MS) afterClockSetBack(now);
      for (let window = 0; window < counts.length; window++) expire(window, now);
      times[next % LONGEST] = now;
      places.set(added, (next % LONGEST) * placesPerSignup);
      for (let window = 0; window < counts.length; window++) change(window, next, 1);
      next++;
    },
    remove(number, onPlace) {
      if (number < 0 || number >= next || next - number > LONGEST) return;
      for (let window = 0; window < counts.length; window++) {
        if (number >= (oldest[window] ?? 0)) change(window, number, -1);
      }
      const first = (number % LONGEST) * placesPerSignup;
      for (let i = first; i < first + placesPerSignup; i++) onPlace(places[i] ?? 0);
      places.fill(0, first, first + placesPerSignup);
    },
    lengthOf: (window) => next - (oldest[window] ?? 0),
    sinceOf: (window) => times[(oldest[window] ?? 0) % LONGEST] ?? 0,
    countOf: (window, place) => counts[window]?.[place] ?? 0,
    has: (place) => (longestCounts?.[place] ?? 0) > 0,
    lastTimes(place, into) {
      let found = 0;
      const end = Math.max(0, next - LONGEST);
      for (let number = next - 1; number >= end && found < into.length; number--) {
        const first = (number % LONGEST) * placesPerSignup;
        for (let i = first; i < first + placesPerSignup; i++) {
          if (places[i] !== place) continue;
          into[found] = times[number % LONGEST] ?? 0;
          found++;
        }
      }
      return found;
    },
  };
}

/** Keys that share a bucket. */
const WAYS = 8;

/** Places for keys, found by hash, in a fixed amount of memory. Place 0 is never assigned to a key. */
export interface CohortKeys {
  /** The number of all places, including place 0. */
  readonly size: number;
  /**
   * The place of the key. A new key gets a free place, or replaces the key with the lowest worth. 0 when no key may be
   * replaced.
   */
  placeOf(section: number, hash: number): number;
}

export interface CohortKeysOptions {
  /** The sizes of the sections. A key is replaced only by keys of its section. Multiples of eight. */
  readonly sections: readonly number[];
  /** The worth of the key at a place. Infinite when the key must stay. */
  readonly worthOf: (place: number) => number;
  /** Called before the key of a place is replaced. */
  readonly onEvicted: (place: number) => void;
}

export function createCohortKeys({ sections, worthOf, onEvicted }: CohortKeysOptions): CohortKeys {
  const starts = sections.map((_, i) => 1 + sections.slice(0, i).reduce((sum, length) => sum + length, 0));
  const size = 1 + sections.reduce((sum, length) => sum + length, 0);
  const hashes = new Uint32Array(size);

  return {
    size,
    placeOf(section, hash) {
      const buckets = (sections[section] ?? WAYS) / WAYS;
      const first = (starts[section] ?? 1) + (hash % buckets) * WAYS;
      for (let place = first; place < first + WAYS; place++) if (hashes[place] === hash) return place;
      let chosen = 0;
      let least = Number.POSITIVE_INFINITY;
      for (let place = first; place < first + WAYS; place++) {
        const worth = hashes[place] === 0 ? -1 : worthOf(place);
        if (worth >= least) continue;
        chosen = place;
        least = worth;
      }
      if (chosen === 0) return 0;
      if (least >= 0) onEvicted(chosen);
      hashes[chosen] = hash;
      return chosen;
    },
  };
}

/** The usual signups of a site: decaying counts by place, and the time in which they were counted. */
export interface CohortPast {
  /** The learned counts. They are a part of a day late. */
  readonly learned: Float32Array;
  /** The time in which the counts were learned, in milliseconds. It decays like the counts. */
  readonly spanMs: () => number;
  /** Advances to the block of this time. */
  advance(now: number): void;
  add(place: number, weight: number): void;
  /** Adds the weight to all places except 0. */
  addAll(places: Uint16Array, weight: number): void;
  worthOf(place: number): number;
  /** Whether the learned count of the place is large enough for a comparison. */
  isKnown(place: number): boolean;
  forget(place: number): void;
}

/**
 * Comparisons start only after this number of signups and this time, because the first day of a site is for learning.
 */
const LEARN_FIRST = 150;
const LEARN_FIRST_MS = 14 * 3_600_000;
/** Counts are learned in blocks, so that not every signup changes the past. */
const BLOCK_MS = 8 * 3_600_000;
/** A signup is learned 8 to 16 hours late. So an attack does not become part of the past that it is compared with. */
const HELD_BLOCKS = 2;
const HALF_LIFE_BLOCKS = 12;
const DECAY = 2 ** (-1 / HALF_LIFE_BLOCKS);
/** After this number of blocks without a signup, one hundredth of the past remains. */
const MOST_STEPS = 80;

export function createCohortPast(size: number): CohortPast {
  const learned = new Float32Array(size);
  const held = Array.from({ length: HELD_BLOCKS }, () => new Float32Array(size));
  const heldMs = new Float64Array(HELD_BLOCKS);
  /** The block of the last signup, counted from the epoch, and the place of its counts in memory. */
  let block = Number.NaN;
  let slot = 0;
  let spanMs = 0;

  /** Learns the oldest block that waits. Its memory is then free for a new block. */
  function startBlock(): void {
    slot = (slot + 1) % HELD_BLOCKS;
    const counts = held[slot];
    for (let place = 0; place < size; place++) {
      learned[place] = (learned[place] ?? 0) * DECAY + (counts?.[place] ?? 0);
    }
    spanMs = spanMs * DECAY + (heldMs[slot] ?? 0);
    counts?.fill(0);
    heldMs[slot] = BLOCK_MS;
  }

  return {
    learned,
    spanMs: () => spanMs,
    advance(now) {
      const current = Math.floor(now / BLOCK_MS);
      if (current === block) return;
      if (Number.isNaN(block)) heldMs[slot] = (current + 1) * BLOCK_MS - now;
      for (let step = Math.min(current - block, MOST_STEPS); step > 0; step--) startBlock();
      block = current;
    },
    add(place, weight) {
      const counts = held[slot];
      if (counts) counts[place] = Math.max(0, (counts[place] ?? 0) + weight);
    },
    addAll(places, weight) {
      const counts = held[slot];
      if (!counts) return;
      for (let i = 0; i < places.length; i++) {
        const place = places[i] ?? 0;
        if (place !== 0) counts[place] = (counts[place] ?? 0) + weight;
      }
    },
    worthOf: (place) => held.reduce((sum, counts) => sum + (counts[place] ?? 0), learned[place] ?? 0),
    isKnown: (place) => (learned[place] ?? 0) >= LEARN_FIRST && spanMs >= LEARN_FIRST_MS,
    forget(place) {
      learned[place] = 0;
      for (const counts of held) counts[place] = 0;
    },
  };
}
