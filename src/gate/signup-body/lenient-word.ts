/** Letters that fold to one of ASCII (Go compares names so): the long s and the Kelvin sign, in UTF-8 and escaped. */
const FOLDED: Readonly<Record<string, string>> = {
  s: '|\\xc5\\xbf|%c5%bf|\\\\u017f',
  k: '|\\xe2\\x84\\xaa|%e2%84%aa|\\\\u212a',
};

/** JSON that stands as text in JSON has two, and in that four: a bound, so that a run of them takes linear time. */
const BACKSLASHES = '\\\\{0,8}';

/**
 * A pattern that finds a word in the bytes of any body (read as Latin-1) in whatever way a lenient reader could come to
 * it: in any case, each letter as it is, escaped as in forms (once or more) or as in JSON (once or more), or behind a
 * backslash, as in quoted text. Needs the flag `i`.
 */
export function lenientWord(word: string): string {
  const letters = [...Buffer.from(word.toLowerCase()).toString('latin1')].map((letter, i) => {
    const codes = [letter.toLowerCase(), letter.toUpperCase()].map((variant) =>
      variant.charCodeAt(0).toString(16).padStart(2, '0'),
    );
    const escaped = [...new Set(codes)].join('|');
    const quoted = i === 0 ? '' : BACKSLASHES;
    const byUnit = `(?:\\\\|%(?:25)*)u00(?:${escaped})`;
    return `${quoted}(?:${letter.replace(/\W/g, '\\$&')}|%(?:25)*(?:${escaped})|${byUnit}${FOLDED[letter] ?? ''})`;
  });
  return letters.join('');
}

/** The longest run of letters and digits in a name: it stays together whatever a parser makes of the rest. */
export function wordIn(name: string): string {
  const runs = name.match(/[a-z0-9]+/gi) ?? [];
  return runs.reduce((longest, run) => (run.length > longest.length ? run : longest), '');
}
