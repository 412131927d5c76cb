/** Finds signups that come at equal intervals, even if other signups come between them. */
export interface RegularIntervals {
  /**
   * Adds the next signup.
   * @param fewest The lowest number of signups in a row.
   * @returns the row that the signup continues, or null.
   */
  add(number: number, now: number, fewest: number): RegularRow | null;
  /** Removes a refused signup, so that no other signup continues a row with it. */
  remove(number: number): void;
}

export interface RegularRow {
  readonly everyMs: number;
  /**
   * The number of signups of the row, including this one, and the number of all signups since the first one of the row.
   */
  readonly count: number;
  readonly among: number;
}

const REMEMBERED = 256;
/** The number of earlier signups that are searched for the previous one of the row. */
const CANDIDATES = 24;
const SHORTEST_MS = 2_000;
const LONGEST_MS = 30 * 60_000;
/**
 * The allowed distance between a signup and its expected time in the row, because the server and the network add
 * delays.
 */
const TOLERANCE_MS = 250;
const TOLERANCE_SHARE = 1 / 50;
const MAX_TOLERANCE_MS = 5_000;
/**
 * A row ends when two signups in succession are missing. For each missing signup except the first, the row needs this number of present signups.
 */
const MISSED_IN_A_ROW = 2;
const FOUND_FOR_MISSED = 5;
/** The length at which rows are no longer followed. No row is searched when half of all signups would continue one. */
const LONGEST_ROW = 64;
const MOST_OF_CHANCE = 0.5;
/** The limit of chance: by chance, one in a hundred million signups continues such a row. */
const MIN_NATS = 18;
const GONE = Number.NaN;

/**
 * Finds rows such as one signup every minute. Other signups may come between them. A row counts when it is longer than
 * chance explains. Chance explains longer rows when more signups come during the row. Memory is bounded, and a call
 * takes a few microseconds.
 */
export function createRegularIntervals(): RegularIntervals {
  const times = new Float64Array(REMEMBERED).fill(GONE);
  let next = 0;

  const timeOf = (number: number): number =>
    number < 0 || number < next - REMEMBERED
      ? Number.NEGATIVE_INFINITY
      : (times[number % REMEMBERED] ?? GONE);

  function rowFrom(last: number, before: number): RegularRow | null {
    const end = timeOf(last);
    let everyMs = end - timeOf(before);
    let [found, missed, missedInARow, steps] = [0, 0, 0, 1];
    let first = before;
    let expected = timeOf(before) - everyMs;
    let tolerance = toleranceOf(everyMs);
    for (let number = before - 1; found + 2 < LONGEST_ROW; ) {
      const time = timeOf(number);
      if (Number.isNaN(time) || time > expected + tolerance) {
        number--;
      } else if (time >= expected - tolerance) {
        first = number;
        found++;
        steps += 1 + missedInARow;
        missedInARow = 0;
        everyMs = (end - time) / steps;
        tolerance = toleranceOf(everyMs);
        expected = time - everyMs;
        number--;
      } else {
        missed++;
        missedInARow++;
        if (missedInARow === MISSED_IN_A_ROW || missed > 1 + found / FOUND_FOR_MISSED) break;
        expected -= everyMs;
      }
    }
    const count = found + 2;
    if (found === 0) return null;
    const among = last - first + 1;
    const othersPerMs = (among - count + 1) / (end - timeOf(first));
    const ofChance = chanceOf(tolerance, othersPerMs);
    const tried = steps - 1;
    const nats = tried * natsOf(found / tried, ofChance) - Math.log(CANDIDATES);
    return nats < MIN_NATS ? null : { everyMs, count, among };
  }

  return {
    add(number, now, fewest) {
      next = number + 1;
      times[number % REMEMBERED] = now;
      const oldest = Math.max(0, next - REMEMBERED);
      const perMs = (next - oldest) / Math.max(1, Math.abs(now - timeOf(oldest)));
      for (let before = number - 1; before >= number - CANDIDATES; before--) {
        const everyMs = now - timeOf(before);
        if (everyMs > LONGEST_MS) return null;
        if (!(everyMs >= SHORTEST_MS) || chanceOf(toleranceOf(everyMs), perMs) > MOST_OF_CHANCE) continue;
        const row = rowFrom(number, before);
        if (row && row.count >= fewest) return row;
      }
      return null;
    },
    remove(number) {
      if (number >= 0 && number < next && number >= next - REMEMBERED) times[number % REMEMBERED] = GONE;
    },
  };
}

function toleranceOf(everyMs: number): number {
  return Math.min(MAX_TOLERANCE_MS, TOLERANCE_MS + everyMs * TOLERANCE_SHARE);
}

/** The probability that an unrelated signup comes at the next expected time of a row. */
function chanceOf(toleranceMs: number, perMs: number): number {
  return 1 - Math.exp(-2 * toleranceMs * perMs);
}

/** The Kullback-Leibler distance of two shares. */
function natsOf(found: number, expected: number): number {
  if (found <= expected) return 0;
  const rest = found < 1 ? (1 - found) * Math.log((1 - found) / (1 - expected)) : 0;
  return found * Math.log(found / expected) + rest;
}
