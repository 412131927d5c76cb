/** A name with other characters than plain ASCII, folded as `foldName` says. */
export function foldUnicode(name: string): string {
  const [text = ''] = name.split('\0', 1);
  // Netty (Vert.x) drops line feeds.
  const normal = cutMarks(text.replaceAll('\n', '')).normalize('NFKC').replaceAll(DOTTED_I, 'I');
  return trimName(normal.replace(IGNORABLE, '')).toUpperCase().toLowerCase();
}

/** Java takes it for an `i` when it compares names in any case. */
const DOTTED_I = '\u0130';

/** Reads from the ends, because a pattern takes quadratic time for long runs in the middle. */
function trimName(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isTrimmed(text.charAt(start))) start++;
  while (end > start && isTrimmed(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

/** White space, and control characters, which Java and Python trim too. */
function isTrimmed(character: string): boolean {
  return character <= ' ' || (character >= '\x7f' && character <= '\x9f') || /\s/.test(character);
}

const IGNORABLE = /\p{Default_Ignorable_Code_Point}+/gu;

/** Marks, and the two letters that become marks (voiced sound marks of halfwidth Katakana). */
const MARKS = /[\p{M}\uff9e\uff9f]+/gu;
/**
 * The limit of the Stream-Safe Text Format (UAX #15). Sorting more marks takes time with the square of their number.
 */
const MAX_MARKS = 30;

/** No configured name has this many marks in a row: a name that is cut here matches none before or after. */
function cutMarks(text: string): string {
  if (text.length <= MAX_MARKS) return text;
  return text.replace(MARKS, (run) => (run.length > MAX_MARKS ? run.slice(0, MAX_MARKS) : run));
}
