/** Keys that share a bucket. */
const WAYS = 8;

/** Places for keys, by hash, in a fixed amount of memory. Place 0 is never given to a key. */
export interface CohortKeys {
  /** All places, with place 0. */
  readonly size: number;
  /** The place of the key. A new key gets a free place, or that of the key that is worth least; 0 when all must stay. */
  placeOf(section: number, hash: number): number;
}

export interface CohortKeysOptions {
  /** Sections do not evict each other's keys. Multiples of eight. */
  readonly sections: readonly number[];
  /** What a place is worth; infinite when it must stay. */
  readonly worthOf: (place: number) => number;
  /** Called before a place changes its key. */
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
