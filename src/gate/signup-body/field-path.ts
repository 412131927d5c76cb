/** Where a field stands in a body: `user.email` and `user[email]` are both `['user', 'email']`. */
export type FieldPath = readonly string[];

/** @param text As configured; validated there. */
export function parseFieldPath(text: string): FieldPath {
  return splitName(text);
}

/**
 * How a field's name relates to a path. `exact`: the name that the configuration means. `lookalike`: another spelling
 * that some parser takes for it (case, brackets, dots, PHP's underscores), or one that makes a list or an object of it,
 * so that two apps would read two things.
 */
export function compareName(name: string, path: FieldPath): 'exact' | 'lookalike' | 'other' {
  if (sameSegments(splitName(name), path) && isPlainForm(name, path)) return 'exact';
  return readingsOf(name).some((reading) => sameAs(reading, path)) ? 'lookalike' : 'other';
}

/** Whether two names differ only in ways that some parser does not see. */
export function foldName(name: string): string {
  // Nearly every name, and a body can hold a hundred thousand.
  if (/^[\x21-\x7e]*$/.test(name)) return name.toLowerCase();
  const visible = name.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  return (visible.split('\0')[0] ?? '').trim().toUpperCase().toLowerCase();
}

function isPlainForm(name: string, path: FieldPath): boolean {
  const [first = '', ...rest] = path;
  return name === path.join('.') || name === `${first}${rest.map((part) => `[${part}]`).join('')}`;
}

/** A multipart name may come with escaped quotes (`\"`, `%22`): both forms are read. */
function readingsOf(name: string): string[] {
  const readings = new Set([name, name.replace(/\\(.)/gs, '$1')]);
  if (name.includes('%')) readings.add(decodeLeniently(name));
  return [...readings].map(foldName);
}

function sameAs(folded: string, path: FieldPath): boolean {
  const wanted = path.map(foldName);
  const segments = splitName(folded.replace(/^(?:__proto__|constructor\[prototype\])(?=\[)/, ''));
  const unindexed = segments.filter((segment) => !/^\d*$/.test(segment));
  return (
    startsWithSegments(segments, wanted) ||
    sameSegments(unindexed, wanted) ||
    phpName(folded) === phpName(wanted.join('.'))
  );
}

/**
 * PHP turns dots and spaces of a variable's name into underscores, and a bracket that is never closed; what stands in
 * brackets stays as it is.
 */
function phpName(name: string): string {
  const bracket = name.includes(']') ? name.indexOf('[') : -1;
  if (bracket === -1) return name.replace(/[. []/g, '_');
  return name.slice(0, bracket).replace(/[. ]/g, '_') + name.slice(bracket).replace(/\[\d*\]/g, '');
}

function splitName(name: string): string[] {
  return name
    .split(/\]\[|\]\.|[[\].]/)
    .filter((segment, i, all) => segment !== '' || (i > 0 && i < all.length - 1));
}

function sameSegments(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((segment, i) => segment === b[i]);
}

function startsWithSegments(segments: readonly string[], start: readonly string[]): boolean {
  return sameSegments(segments.slice(0, start.length), start);
}

/** What an escape says is decoded, what is none is left. */
export function decodeLeniently(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) =>
    Buffer.from(escapes.replaceAll('%', ''), 'hex').toString('utf8'),
  );
}
