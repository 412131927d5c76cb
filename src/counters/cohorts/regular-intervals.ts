/** Signups that come one after another at equal intervals, among others. */
export interface RegularIntervals {
  /**
   * Adds the next signup.
   * @param fewest The fewest signups of a row.
   * @returns the row that it continues; null when it continues no row.
   */
  add(number: number, now: number, fewest: number): RegularRow | null;
  /** The signup was refused: no other signup continues a row with it. */
  remove(number: number): void;
}

export interface RegularRow {
  readonly everyMs: number;
  /** Signups of the row, this one included, and all signups since its first one. */
  readonly count: number;
  readonly among: number;
}

const REMEMBERED = 256;
/** The one before in the row is among so many. */
const CANDIDATES = 24;
const SHORTEST_MS = 2_000;
const LONGEST_MS = 30 * 60_000;
/** How far a signup may be from its time in the row: the answer of a server takes some time, and the network too. */
const TOLERANCE_MS = 250;
const TOLERANCE_SHARE = 1 / 50;
const MAX_TOLERANCE_MS = 5_000;
/** A row ends when two of its signups in a row are missing, and needs so many others for each missing one but the first. */
const MISSED_IN_A_ROW = 2;
const FOUND_FOR_MISSED = 5;
/** Longer rows are not followed, and none where half of all signups would continue any row. */
const LONGEST_ROW = 64;
const MOST_OF_CHANCE = 0.5;
/** By chance, one in a hundred million signups continues such a row. */
const MIN_NATS = 18;
const GONE = Number.NaN;

/**
 * Finds rows such as one signup every minute. Other signups may come between them. A row counts when it is longer than
 * chance explains: the more signups come in its time, the more of them fall on its times. Memory is bounded; a few
 * microseconds.
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

/** How likely it is that another signup comes at the time of the next one in a row. */
function chanceOf(toleranceMs: number, perMs: number): number {
  return 1 - Math.exp(-2 * toleranceMs * perMs);
}

/** Kullback-Leibler distance of two shares. */
function natsOf(found: number, expected: number): number {
  if (found <= expected) return 0;
  const rest = found < 1 ? (1 - found) * Math.log((1 - found) / (1 - expected)) : 0;
  return found * Math.log(found / expected) + rest;
}
