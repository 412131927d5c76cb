/** Letters a to z, and 26 for the edge of a word. */
export const LETTERS = 27;
const EDGE = 26;
/** One weight for each sequence of three letters or edges. */
export const TRIGRAMS = LETTERS ** 3;

/**
 * The sequences of three within one word, its edges marked: `al` is edge-a-l, a-l-edge. Training and product share it.
 *
 * @param word Lower-case ASCII letters alone.
 */
export function* trigramsOf(word: string): Generator<number> {
  let first = EDGE;
  let second = word.charCodeAt(0) - 97;
  for (let i = 1; i <= word.length; i++) {
    const third = i === word.length ? EDGE : word.charCodeAt(i) - 97;
    yield (first * LETTERS + second) * LETTERS + third;
    first = second;
    second = third;
  }
}
