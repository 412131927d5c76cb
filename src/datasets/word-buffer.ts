/** Unsigned 32-bit words in one growing typed array. So a million ranges are not a million objects. */
export interface WordBuffer {
  push(words: readonly number[]): void;
  /** All words as records of this length. The records are in ascending order. */
  sortedRecords(wordsPerRecord: number): Uint32Array;
}

export function createWordBuffer(): WordBuffer {
  let words = new Uint32Array(64);
  let length = 0;
  return {
    push(added) {
      if (length + added.length > words.length) {
        const grown = new Uint32Array(2 * (length + added.length));
        grown.set(words.subarray(0, length));
        words = grown;
      }
      words.set(added, length);
      length += added.length;
    },
    sortedRecords: (wordsPerRecord) => sortRecords(words.slice(0, length), wordsPerRecord),
  };
}

/** Compares `count` words of two arrays. The most significant words come first. */
export function compareWords(
  a: ArrayLike<number>,
  aStart: number,
  b: ArrayLike<number>,
  bStart: number,
  count: number,
): number {
  for (let i = 0; i < count; i++) {
    const difference = (a[aStart + i] ?? 0) - (b[bStart + i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/**
 * The number of records that are not above a key, by binary search. The records ascend. Each is `stride` words long and
 * is compared by its first `width` words.
 */
export function countUpTo(
  records: Uint32Array,
  stride: number,
  key: ArrayLike<number>,
  width: number,
): number {
  let low = 0;
  let high = records.length / stride;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareWords(records, stride * middle, key, 0, width) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Lists are usually sorted already, and then no record is moved. */
function sortRecords(words: Uint32Array, width: number): Uint32Array {
  const count = words.length / width;
  if (isSorted(words, count, width)) return words;
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  order.sort((a, b) => compareWords(words, a * width, words, b * width, width));
  const sorted = new Uint32Array(words.length);
  for (const [at, record] of order.entries()) {
    sorted.set(words.subarray(record * width, (record + 1) * width), at * width);
  }
  return sorted;
}

function isSorted(words: Uint32Array, count: number, width: number): boolean {
  for (let i = 1; i < count; i++) {
    if (compareWords(words, (i - 1) * width, words, i * width, width) > 0) return false;
  }
  return true;
}
