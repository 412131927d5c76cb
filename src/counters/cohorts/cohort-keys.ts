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
