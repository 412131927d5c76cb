/**
 * Upper bounds in milliseconds of the classes for durations of judging; one more class is above the last bound. Judging
 * takes 10 µs to some milliseconds, or up to the deadline when it waits for DNS. In this range each bound is 1 to 1.5
 * times the previous one, so a percentile that is computed from the classes is wrong by at most a third.
 */
// biome-ignore format: 45 numbers, a line each otherwise.
export const DURATION_BOUNDS_MS: readonly number[] = [
  0.01, 0.015, 0.02, 0.03, 0.04, 0.05, 0.065, 0.08, 0.1, 0.125, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.65, 0.8,
  1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6.5, 8, 10, 15, 20, 30, 40, 50, 65, 80, 100, 125, 150, 200, 250, 300,
  400, 500, 1_000,
];

/** Durations counted by class. */
export interface DurationHistogram {
  add(ms: number): void;
  /** The counts: one for each bound, and one for durations above the last bound. */
  readonly counts: readonly number[];
  readonly sumMs: number;
}

export function createDurationHistogram(): DurationHistogram {
  const counts = new Array<number>(DURATION_BOUNDS_MS.length + 1).fill(0);
  let sumMs = 0;
  return {
    counts,
    get sumMs() {
      return sumMs;
    },
    add(ms) {
      const place = durationClass(ms);
      counts[place] = (counts[place] ?? 0) + 1;
      sumMs += ms;
    },
  };
}

/** The class of a duration: the index of the first bound that it does not exceed. */
export function durationClass(ms: number): number {
  let [low, high] = [0, DURATION_BOUNDS_MS.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ms <= (DURATION_BOUNDS_MS[middle] ?? 0)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * The duration in milliseconds that the given share of all does not exceed, with an even distribution inside its class.
 * Null when nothing was counted; the last bound when the result is above it.
 * @param share 0.5 for the median, 0.99.
 */
export function durationPercentile(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const rank = share * total;
  let below = 0;
  for (const [place, count] of counts.entries()) {
    const bound = DURATION_BOUNDS_MS[place];
    if (bound === undefined) break;
    if (count > 0 && below + count >= rank) {
      const start = DURATION_BOUNDS_MS[place - 1] ?? 0;
      return start + (bound - start) * ((rank - below) / count);
    }
    below += count;
  }
  return DURATION_BOUNDS_MS.at(-1) ?? null;
}

/** One counter with a few labels, each with few values. */
export interface LabelledCounter {
  /** The name without the prefix that all names share. */
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  /** One value for each label, in their order. */
  count(values: readonly string[], by?: number): void;
  series(): Iterable<readonly [values: readonly string[], count: number]>;
}

/** Far above the number of routes, levels and codes together; further series are counted as `other`. */
const MAX_SERIES = 2_000;
const SEPARATOR = '\u0000';

/**
 * Counts in a plain map: 0.4 µs; a labelled counter of prom-client takes 1.2 to 1.9 µs. Each reload may bring new route
 * names, so the number of series is limited.
 */
export function createLabelledCounter(
  name: string,
  { help, labels }: { readonly help: string; readonly labels: readonly string[] },
): LabelledCounter {
  const counts = new Map<string, number>();
  const other = labels.map(() => 'other').join(SEPARATOR);
  return {
    name,
    help,
    labels,
    count(values, by = 1) {
      let key = values.length === 1 ? (values[0] ?? '') : values.join(SEPARATOR);
      const counted = counts.get(key);
      if (counted === undefined && counts.size >= MAX_SERIES) key = other;
      counts.set(key, (counted ?? counts.get(key) ?? 0) + by);
    },
    *series() {
      for (const [key, count] of counts) yield [key.split(SEPARATOR), count];
    },
  };
}
