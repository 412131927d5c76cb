/** Of a list: `friends[0]`, `email[]`. */
export function isIndex(segment: string): boolean {
  return /^\d*$/.test(segment);
}

/**
 * In the names of form fields, PHP replaces dots, spaces and a `[` that is not closed with underscores. Text in closed
 * brackets stays.
 */
export function phpName(name: string): string {
  const bracket = name.includes(']') ? name.indexOf('[') : -1;
  if (bracket === -1) return name.replace(/[. []/g, '_');
  return name.slice(0, bracket).replace(/[. ]/g, '_') + name.slice(bracket).replace(/\[\d*\]/g, '');
}

/** CGI::Struct of Perl (Catalyst) nests names in braces. */
const BRACES = /(?<=[^{}])\{([^{}]*)\}/g;

function withBrackets(name: string): string {
  return name.includes('{') ? name.replace(BRACES, '[$1]') : name;
}

/** The segments of a name: `user[email]`, `user.email` and `user{email}` have two. */
export function splitName(name: string): string[] {
  return withBrackets(name)
    .split(/\]\[|\]\.|[[\].]/)
    .filter((segment, i, all) => segment !== '' || (i > 0 && i < all.length - 1));
}

export function sameSegments(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((segment, i) => segment === b[i]);
}

export function startsWithSegments(segments: readonly string[], start: readonly string[]): boolean {
  return segments.length >= start.length && start.every((segment, i) => segment === segments[i]);
}

/** Whether a name is spelled as most apps spell a path: `user.email`, `user[email]`. */
export function isPlainForm(name: string, path: readonly string[]): boolean {
  const [first = '', ...rest] = path;
  const bracketed = `${first}${rest.map((part) => `[${part}]`).join('')}`;
  return name === path.join('.') || withBrackets(name) === bracketed;
}
