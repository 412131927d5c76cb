/** Where a field stands in a body: `user.email` and `user[email]` are both `['user', 'email']`. */
export type FieldPath = readonly string[];

/** @param text As configured; validated there. */
export function parseFieldPath(text: string): FieldPath {
  return splitName(text);
}

/**
 * How a field's name relates to a path. `exact`: the name that the configuration means. `lookalike`: another spelling
 * that some parser takes for it (case, brackets, dots, PHP's underscores), so that two apps would read two things.
 */
export function compareName(name: string, path: FieldPath): 'exact' | 'lookalike' | 'other' {
  if (sameSegments(splitName(name), path) && isPlainForm(name, path)) return 'exact';
  return readingsOf(name).some((reading) => sameAs(reading, path)) ? 'lookalike' : 'other';
}

/** Whether two names differ only in ways that some parser does not see. */
export function foldName(name: string): string {
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
  const segments = splitName(folded);
  const unindexed = segments.filter((segment) => !/^\d*$/.test(segment));
  return (
    sameSegments(segments, wanted) ||
    sameSegments(unindexed, wanted) ||
    phpName(folded) === phpName(wanted.join('.'))
  );
}

/** PHP turns dots and spaces of a variable's name into underscores; what stands in brackets stays as it is. */
function phpName(name: string): string {
  const bracket = name.indexOf('[');
  const head = bracket === -1 ? name : name.slice(0, bracket);
  return head.replace(/[. ]/g, '_') + (bracket === -1 ? '' : name.slice(bracket).replace(/\[\d*\]/g, ''));
}

function splitName(name: string): string[] {
  return name
    .split(/\]\[|\]\.|[[\].]/)
    .filter((segment, i, all) => segment !== '' || (i > 0 && i < all.length - 1));
}

function sameSegments(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((segment, i) => segment === b[i]);
}

function decodeLeniently(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) =>
    Buffer.from(escapes.replaceAll('%', ''), 'hex').toString('utf8'),
  );
}
