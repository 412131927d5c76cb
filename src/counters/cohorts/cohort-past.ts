/** The usual signups of a site: decaying counts by place, and how long they were counted. */
export interface CohortPast {
  /** Counts so far, a part of a day late. */
  readonly learned: Float32Array;
  /** The time in which they were counted, in milliseconds; it decays as they do. */
  readonly spanMs: () => number;
  /** Moves to the block of this time. */
  advance(now: number): void;
  add(place: number, weight: number): void;
  /** Adds to all places but 0. */
  addAll(places: Uint16Array, weight: number): void;
  worthOf(place: number): number;
  /** Whether enough was learned of the place to compare with it. */
  isKnown(place: number): boolean;
  forget(place: number): void;
}

/** Nothing is unusual before so many signups were learned, over this time: a site's first day is for watching. */
const LEARN_FIRST = 150;
const LEARN_FIRST_MS = 14 * 3_600_000;
/** Counts are learned in blocks, so that the past is not written for each signup. */
const BLOCK_MS = 8 * 3_600_000;
/** A signup is learned 8 to 16 hours late, so that an attack does not become the past that it is compared with. */
const HELD_BLOCKS = 2;
const HALF_LIFE_BLOCKS = 12;
const DECAY = 2 ** (-1 / HALF_LIFE_BLOCKS);
/** After so many blocks without a signup, a hundredth is left of the past. */
const MOST_STEPS = 80;

export function createCohortPast(size: number): CohortPast {
  const learned = new Float32Array(size);
  const held = Array.from({ length: HELD_BLOCKS }, () => new Float32Array(size));
  const heldMs = new Float64Array(HELD_BLOCKS);
  /** The block of the last signup, from the epoch, and where its counts are held. */
  let block = Number.NaN;
  let slot = 0;
  let spanMs = 0;

  /** Learns the block that was held for longest, whose counts make room for a new block. */
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
