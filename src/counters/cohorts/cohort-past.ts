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
