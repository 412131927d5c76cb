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
