/** Longer words are rarely typing mistakes, and the comparison is quadratic. */
const MAX_LENGTH = 40;

/**
 * The candidate that the user probably meant: the one with the fewest edits, at most `maxShare` of its length (but
 * always one edit) and fewer than its length. A different letter case, and `-` in place of `_`, do not count as edits.
 * @returns null when no candidate is close.
 */
export function closest(word: string, candidates: Iterable<string>, maxShare = 1 / 3): string | null {
  if (word.length > MAX_LENGTH) return null;
  const plainWord = plain(word);
  let best: string | null = null;
  let fewest = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    if (candidate.length > MAX_LENGTH) continue;
    const edits = editDistance(plainWord, plain(candidate));
    if (
      edits < fewest &&
      edits <= Math.max(1, Math.floor(candidate.length * maxShare)) &&
      edits < candidate.length
    ) {
      best = candidate;
      fewest = edits;
    }
  }
  return best;
}

function plain(word: string): string {
  return word.toLowerCase().replaceAll('-', '_');
}

/**
 * Optimal string alignment: inserting, deleting or replacing a letter costs one, and so does swapping two neighbours.
 */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let edits = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        edits = Math.min(edits, at(beforeLast, j - 2) + 1);
      }
      row.push(edits);
    }
    beforeLast = last;
    last = row;
  }
  return at(last, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? 0;
}
