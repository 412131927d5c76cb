/**
 * Whether two names differ only in ways that some parser does not see. Cost grows with the length alone: whatever is
 * normalised holds at most 30 marks in a row.
 */
export function foldName(name: string): string {
  // Nearly every name, and a body can hold thousands.
  if (isPlainAscii(name)) return name.toLowerCase();
  const [text = ''] = name.split('\0', 1);
  const normal = cutMarks(text).normalize('NFKC');
  return normal.replace(IGNORABLE, '').trim().toUpperCase().toLowerCase();
}

/** One character each, none of which folds to another but by its case. */
export function isPlainAscii(text: string): boolean {
  return /^[\x21-\x7e]*$/.test(text);
}

const IGNORABLE = /\p{Default_Ignorable_Code_Point}+/gu;

/** Marks, and the two letters that become some (voiced sound marks of halfwidth Katakana). */
const MARKS = /[\p{M}\uff9e\uff9f]+/gu;
/** The Stream-Safe Text Format of UAX #15 has so many at most; sorting more takes their number squared. */
const MAX_MARKS = 30;

/** No configured name has as many marks in a row: what is cut here was no such name, and is none afterwards. */
function cutMarks(text: string): string {
  if (text.length <= MAX_MARKS) return text;
  return text.replace(MARKS, (run) => (run.length > MAX_MARKS ? run.slice(0, MAX_MARKS) : run));
}

/** What an escape says is decoded, what is none is left. */
export function decodeEscapes(text: string): string {
  if (!text.includes('%')) return text;
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) =>
    Buffer.from(escapes.replaceAll('%', ''), 'hex').toString('utf8'),
  );
}
