/** The letter rows of the keyboards; the digits are part of them, because `1` is beside `q`. */
const ROWS = ['1234567890-', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
/** The places where German and French keyboards have other letters, and characters that look alike. */
const MORE_NEIGHBOURS = ['zt', 'zu', 'zg', 'zh', 'yx', 'ya', 'ys', 'az', 'qs', 'wx', 'ml', '1l', '1i', 'il'];
const VOWELS = 'aeiouy';

/** Two letters in the wrong order, or one typed twice: the commonest typing errors. */
const SWAPPED = 0.8;
const DOUBLED = 0.7;
const MISSING = 0.9;
/** A key beside the right one, or another vowel. */
const NEAR_KEY = 0.9;
/** One finger pressed two keys: on the keyboard, the extra letter is beside the letter before or after it. */
const EXTRA_NEAR_KEY = 1.1;
const OTHER_KEY = 1.2;
/**
 * The extra cost of an error in the first letter. People notice such an error, and names that differ there are other
 * names (cloud.com, email.com).
 */
const FIRST_LETTER = 0.4;

const NEIGHBOURS = neighbours();

/**
 * The distance between `typed` and `meant`: 0 for the same text, about 1 for one typing error. The method is optimal
 * string alignment with a weight for each kind of error. The run time grows with the product of the lengths.
 * @param atMost The largest distance of interest. It ends most comparisons after two letters.
 * @returns Infinity when the distance is above `atMost`, or the lengths differ by more than two letters.
 */
export function typingDistance(typed: string, meant: string, atMost = Number.POSITIVE_INFINITY): number {
  if (typed === meant) return 0;
  if (Math.abs(typed.length - meant.length) > 2) return Number.POSITIVE_INFINITY;
  let beforeLast: readonly number[] = [];
  let last = rowOfMissingKeys(meant.length);
  let leastBefore = 0;
  for (let i = 1; i <= typed.length; i++) {
    const extra = extraKey(typed, i - 1);
    const row = [(last[0] ?? 0) + extra + (i === 1 ? FIRST_LETTER : 0)];
    let least = row[0] ?? 0;
    for (let j = 1; j <= meant.length; j++) {
      let cost = Math.min(
        (last[j - 1] ?? 0) + replacedKey(typed.charAt(i - 1), meant.charAt(j - 1), i === 1 && j === 1),
        (last[j] ?? 0) + extra,
        (row[j - 1] ?? 0) + MISSING,
      );
      if (i > 1 && j > 1 && typed[i - 1] === meant[j - 2] && typed[i - 2] === meant[j - 1]) {
        cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + SWAPPED);
      }
      row.push(cost);
      if (cost < least) least = cost;
    }
    // Each later row continues from one of these two rows, and no error has a negative cost.
    if (least > atMost && leastBefore > atMost) return Number.POSITIVE_INFINITY;
    leastBefore = least;
    beforeLast = last;
    last = row;
  }
  const distance = last[meant.length] ?? 0;
  return distance > atMost ? Number.POSITIVE_INFINITY : distance;
}

/** The distances from an empty text to each beginning of the meant text. */
function rowOfMissingKeys(length: number): number[] {
  const row = [0];
  for (let j = 1; j <= length; j++) row.push(j * MISSING + FIRST_LETTER);
  return row;
}

function replacedKey(typed: string, meant: string, isFirst: boolean): number {
  if (typed === meant) return 0;
  const isNear = NEIGHBOURS.has(typed + meant) || (VOWELS.includes(typed) && VOWELS.includes(meant));
  return (isNear ? NEAR_KEY : OTHER_KEY) + (isFirst ? FIRST_LETTER : 0);
}

function extraKey(typed: string, at: number): number {
  const key = typed.charAt(at);
  const [before, after] = [typed.charAt(at - 1), typed.charAt(at + 1)];
  if (key === before || key === after) return DOUBLED;
  return NEIGHBOURS.has(key + before) || NEIGHBOURS.has(key + after) ? EXTRA_NEAR_KEY : OTHER_KEY;
}

/** Pairs of keys beside each other in a row, or in the row above or below. */
function neighbours(): ReadonlySet<string> {
  const pairs = new Set<string>();
  const add = (a = '', b = '') => {
    if (a === '' || b === '') return;
    pairs.add(a + b);
    pairs.add(b + a);
  };
  ROWS.forEach((row, y) => {
    for (let x = 0; x < row.length; x++) {
      add(row[x], row[x + 1]);
      add(row[x], ROWS[y + 1]?.[x]);
      add(row[x], ROWS[y + 1]?.[x - 1]);
    }
  });
  for (const pair of MORE_NEIGHBOURS) add(pair[0], pair[1]);
  return pairs;
}
