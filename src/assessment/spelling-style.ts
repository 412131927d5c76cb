import { COMMON_NAMES } from './common-names.generated.ts';

/** The number of parts that are looked at. More parts say nothing more about a generator. */
const MAX_PARTS = 6;
/** A shorter run of letters and digits can be initials with a number. */
const SHORTEST_MIX = 6;
const LONGEST_SHORT_MIX = 7;
const LONGEST_MIX = 12;
const SHORTEST_NAME = 3;
const SHORTEST_WORD = 4;
/** Half of all texts of five random letters can be pronounced. */
const SHORTEST_UNKNOWN_WORD = 7;
const YEAR = /^(19[3-9]|20[0-2])\d$/;

/**
 * Describes the spelling of a local part, or of the label of a domain, in a few letters. It shows which kind of
 * generator writes such names. It does not identify a person, because many thousands of people share a style. Pure.
 *
 * `n` a common name, `nn` two of them, `ln` a letter and a name, `o` another word, `s` two or three letters, `l` one
 * letter, `u` letters of another script, `y` a year, `d2` two digits, `mix` letters, or letters and digits, in an order
 * that no word has. `anna.weber` is `n.n`, `sunnyriver42` is `od2`, `abc123` is `sd3`, `k3j9x0q2` is `mix`.
 */
export function spellingStyle(spelled: string): string {
  const tag = spelled.indexOf('+', 1);
  const text = (tag === -1 ? spelled : spelled.slice(0, tag)).toLowerCase();
  const parts = text.match(/[a-z]+|[0-9]+|[^a-z0-9._-]+|[._-]/g) ?? [];
  if (isMixed(text, parts)) return mixOf(text);
  const hasSeparator = /[._-]/.test(text);
  let style = '';
  for (const part of parts.slice(0, MAX_PARTS)) {
    const kind = kindOf(part);
    if (kind === 'r') return mixOf(text);
    // Beside a separator, an unknown word counts as a name of another language.
    style += hasSeparator && NAME_LIKE.has(kind) ? 'n' : kind;
  }
  return style;
}

const NAME_LIKE: ReadonlySet<string> = new Set(['o', 'nn', 'ln']);

/**
 * The style of a domain: an at sign, the style of the first label, and the suffix. `@n-n.co.uk` for
 * `sunny-river.co.uk`.
 */
export function domainStyle(domain: string): string {
  const dot = domain.indexOf('.');
  return `@${spellingStyle(domain.slice(0, dot))}${domain.slice(dot)}`;
}

/** The style of signups that come at equal intervals. Their spelling does not matter. */
export const REGULAR_STYLE = 'interval';
/** The prefix of a mail server. It makes the style of own domains whose mail goes to this server. */
export const MAIL_SERVER_STYLE = 'mx:';

/** The common property of the signups of a style, as words after "with": `mailboxes such as name.name`. */
export function traitOfStyle(style: string): string {
  if (style === REGULAR_STYLE) return 'equal intervals between them';
  return style.startsWith(MAIL_SERVER_STYLE)
    ? `new domains with mail at ${style.slice(MAIL_SERVER_STYLE.length)}`
    : `mailboxes such as ${exampleOfStyle(style)}`;
}

/** A made-up text of the style, for people: `name.name`, `abc123`, `@word-word.co.uk`. */
export function exampleOfStyle(style: string): string {
  if (style === REGULAR_STYLE) return 'one signup every minute';
  if (style.startsWith(MAIL_SERVER_STYLE))
    return `a domain with mail at ${style.slice(MAIL_SERVER_STYLE.length)}`;
  const dot = style.startsWith('@') ? style.indexOf('.') : style.length;
  let example = style.startsWith('@') ? '@' : '';
  for (const [token] of style.slice(0, dot).matchAll(/mix[-+]?|nn|ln|d\d|[a-z]|[._-]/g)) {
    example += EXAMPLES[token] ?? token;
  }
  return example + style.slice(dot);
}

const EXAMPLES: Readonly<Record<string, string>> = {
  mix: 'k3j9x0q2w',
  'mix-': 'k3j9x0',
  'mix+': 'k3j9x0q2w7b5t',
  n: 'name',
  nn: 'namename',
  ln: 'xname',
  o: 'word',
  s: 'abc',
  l: 'x',
  u: 'слово',
  y: '1990',
  d1: '1',
  d2: '12',
  d3: '123',
  d4: '1234',
  d5: '12345',
};

/** Letters and digits alternate, and no part of the text is a word. */
function isMixed(text: string, parts: readonly string[]): boolean {
  if (text.length < SHORTEST_MIX) return false;
  let changes = 0;
  for (let i = 1; i < parts.length; i++) {
    if (isDigit(parts[i]) ? isLetter(parts[i - 1]) : isLetter(parts[i]) && isDigit(parts[i - 1])) changes++;
  }
  return changes >= 2 && !parts.some(isWord);
}

function isWord(part: string): boolean {
  if (part.length < SHORTEST_WORD || !isLetter(part)) return false;
  const kind = kindOf(part);
  return kind !== 'r' && (kind !== 'o' || part.length >= SHORTEST_UNKNOWN_WORD);
}

function mixOf({ length }: string): string {
  if (length <= LONGEST_SHORT_MIX) return 'mix-';
  return length <= LONGEST_MIX ? 'mix' : 'mix+';
}

function kindOf(part: string): string {
  if (isDigit(part)) return YEAR.test(part) ? 'y' : `d${Math.min(5, part.length)}`;
  if (!isLetter(part)) return /^[._-]/.test(part) ? part : 'u';
  if (part.length === 1) return 'l';
  if (part.length <= SHORTEST_NAME) return 's';
  if (COMMON_NAMES.has(part)) return 'n';
  if (COMMON_NAMES.has(part.slice(1))) return 'ln';
  if (isUnpronounceable(part)) return 'r';
  for (let at = part.length - SHORTEST_NAME; at >= SHORTEST_NAME; at--) {
    if (COMMON_NAMES.has(part.slice(0, at))) return 'nn';
  }
  return 'o';
}

/** From this length on, few vowels mean random letters; a shorter run can be an abbreviation. */
const SHORTEST_RANDOM = 6;

/**
 * Whether a text has long runs of consonants, few vowels, or several pairs of letters that are rare in words. This is
 * true for 78 % of texts of eight random letters, and for 88 % of texts of ten. It is also true for 5 % of the names of
 * sites and universities, which are often abbreviations.
 */
function isUnpronounceable(word: string): boolean {
  let vowels = 0;
  let run = 0;
  let odd = 0;
  let before = -1;
  for (let i = 0; i < word.length; i++) {
    const letter = word.charCodeAt(i) - A;
    if (((VOWELS >> letter) & 1) === 1) {
      vowels++;
      run = 0;
    } else {
      run++;
      if (run === 6 || (run === 4 && !CLUSTERS.has(word.slice(i - 3, i + 1)))) odd++;
    }
    if (before !== -1 && (((RARE_AFTER[before] ?? 0) >> letter) & 1) === 1) odd++;
    before = letter;
  }
  return odd >= 2 || (word.length >= SHORTEST_RANDOM && vowels * 5 <= word.length);
}

const A = 97;
const VOWELS = lettersOf('aeiouy');
/** Groups of four consonants that occur in names and words of European languages. */
const CLUSTERS: ReadonlySet<string> = new Set(
  'tsch schl schm schn schr schw chts chst rsch nsch ngst rndt ghts ngth dtsc ltsc lsch ndsb ckst rths'.split(
    ' ',
  ),
);
/** The letters that are rare after a letter in a word. */
const RARE_AFTER: readonly number[] = tableOf({
  b: 'cfghjkmpqtvwxz',
  c: 'bdfgjmnpvwxz',
  d: 'bcfkpqtx',
  f: 'bcdghjkmnpqvwxz',
  g: 'bcdfjkpqtvwxz',
  h: 'bcdfghjkpqsvxz',
  j: 'bcdfghlmnpqrstvwxz',
  k: 'bcdfgjmpqvxz',
  l: 'jqrwxz',
  m: 'fghjkqrvwxz',
  n: 'jqrx',
  p: 'bcdgjqvwxz',
  q: 'abcdefghijklmnopqrstvwxyz',
  r: 'jqxz',
  s: 'jqvxz',
  t: 'djqvx',
  u: 'uq',
  v: 'bcdfghjkmpqtwxz',
  w: 'bcdfgjmpqvwxz',
  x: 'bdfghjklmnqrsvwz',
  y: 'y',
  z: 'bcdfgjmpqrsvx',
});

function tableOf(rare: Readonly<Record<string, string>>): readonly number[] {
  return Array.from({ length: 26 }, (_, i) => lettersOf(rare[String.fromCharCode(i + 97)] ?? ''));
}

/** A number with a bit for each letter. */
function lettersOf(letters: string): number {
  let bits = 0;
  for (let i = 0; i < letters.length; i++) bits |= 1 << (letters.charCodeAt(i) - 97);
  return bits;
}

function isDigit(part: string | undefined): boolean {
  return part !== undefined && part >= '0' && part < ':';
}

function isLetter(part: string | undefined): boolean {
  return part !== undefined && part >= 'a' && part < '{';
}
