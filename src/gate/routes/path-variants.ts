import type { WorkBudget } from '../budgets.ts';
import { decodeOldEscapes } from './old-escapes.ts';
import { trimSegments } from './trim-segments.ts';

/**
 * All ways in which an upstream may read a path. "Match wide": a request is judged when any of these variants matches a
 * signup route. The gate forwards the target unchanged, never a variant.
 *
 * Each step below is known from some server, framework or file system. Chained servers apply the steps in any order, so
 * the steps are applied in every order until no new variant appears.
 */
export interface PathVariants {
  /** Makes all variants of one more path. Existing variants are not made again. */
  add(path: string, source: string): void;
  /** Folded paths: lower case, no trailing slash, dot or space. Each begins with `/`. */
  readonly paths: readonly PathVariant[];
  /**
   * A part of the source's paths that parsers read differently, beyond spelling: an encoded slash, backslash or NUL, a
   * control character, an escape that does not decode. Null when there is none.
   */
  hazardOf(source: string): string | null;
}

export interface PathVariant {
  readonly path: string;
  /** The source of the path that this is a variant of. */
  readonly source: string;
}

/**
 * The cost of one variant for each character, in units of the budget: every step reads every character, and the slowest
 * steps (lone escapes, characters outside ASCII) take most of the time. Measured with the worst paths for each step.
 */
const COST_PER_CHARACTER = 96;
const COST_PER_VARIANT = 3_000;

/**
 * Lower-case words, digits and dots inside names: such a path has one variant, and nearly every request has such a
 * path.
 */
const PLAIN_PATH = /^(?:\/[a-z0-9_-][a-z0-9_.-]*)+$|^\/$/;

const STEPS: readonly ((path: string) => string)[] = [
  decodePercent,
  decodeOldEscapes,
  // A lenient decoder drops the percent sign of an escape that does not decode.
  (path) => path.replace(/%(?![0-9a-f]{2})/gi, ''),
  (path) => path.replace(/%(?![0-9a-f]{2})[^/]{0,2}/gi, ''),
  (path) => path.replace(/%[89a-f][0-9a-f]/gi, ''),
  (path) => path.replaceAll('\\', '/'),
  (path) => path.replace(/\/{2,}/g, '/'),
  foldDotSegments,
  (path) => path.replace(/\/(\.\.?)\.[a-z]+$/i, '/$1'), // React Router: `/x/...data` is `/x/..`.
  trimSegments,
  // Struts: the method of an action.
  (path) => path.replace(/![\w-]*(?=(?:\.[\w-]*)?$)/, ''),
  // `new URL(target, base)` reads `//host/signup` as a URL without scheme.
  (path) => path.replace(/^[/\\]{2,}[^/\\?#]+/, ''),
  // Matrix parameters: Tomcat and others remove them from each segment; some servers remove everything from the first
  // one on.
  (path) => path.replace(/;[^/]*/g, ''),
  (path) => cutFrom(path, ';'),
  (path) => cutFrom(path, '?'),
  (path) => cutFrom(path, '#'),
  // Rewritten to a query (`index.php?q=/signup&x`), as Apache does without the flag B.
  (path) => cutFrom(path, '&'),
  (path) => cutFrom(path, '\0'),
  (path) => path.replaceAll('\0', ''),
  // ASP.NET removes its cookieless session from any place in the path.
  (path) => path.replace(/\/\((?:[A-Za-z]\([^()/]*\))+\)(?=\/|$)/g, ''),
  foldCharacters,
];

/** Whether the path is its only variant. */
export function isPlainPath(path: string): boolean {
  return PLAIN_PATH.test(path) && !path.endsWith('.') && !path.includes('./');
}

/**
 * @param prefixes Texts that a framework removes from the path, with everything before them.
 * @param budget Making a variant spends from it; adding throws when it is used up.
 */
export function createPathVariants(prefixes: readonly string[], budget: WorkBudget): PathVariants {
  const known = new Set<string>();
  const trimmed = new Map<string, PathVariant>();
  const hazards = new Map<string, string>();

  function add(path: string, source: string): void {
    const seen = new Set([path]);
    for (const variant of seen) {
      if (known.has(variant)) continue;
      known.add(variant);
      budget.spend(COST_PER_VARIANT + variant.length * (COST_PER_CHARACTER + prefixes.length));
      // A path with too many combining marks is treated like a used-up budget.
      if (!isFoldable(variant)) budget.spend(Number.POSITIVE_INFINITY);
      const hazard = hazards.has(source) ? null : findHazard(variant);
      if (hazard !== null) hazards.set(source, hazard);
      const folded = trimEnd(variant);
      if (!trimmed.has(folded)) trimmed.set(folded, { path: folded, source });
      for (const step of STEPS) seen.add(step(variant));
      for (const prefix of prefixes) {
        const at = variant.indexOf(prefix);
        if (at !== -1) seen.add(withSlash(variant.slice(at + prefix.length)));
      }
    }
  }

  return {
    add,
    get paths() {
      return [...trimmed.values()];
    },
    hazardOf: (source) => hazards.get(source) ?? null,
  };
}

/** The path of a target: without scheme and authority (absolute-form, RFC 9112 section 3.2.2) and without query. */
export function pathOf(target: string): string {
  const path = cutFrom(target, '?');
  if (path.startsWith('/')) return path;
  const authority = /^[a-z][a-z0-9+.-]*:[/\\]{2}[^/\\#]*/i.exec(path);
  return withSlash(authority ? path.slice(authority[0].length) : path);
}

/** The query of a target, without its question mark; empty when the target has no query. */
export function queryOf(target: string): string {
  const at = target.indexOf('?');
  return at === -1 ? '' : target.slice(at + 1);
}

function withSlash(path: string): string {
  return path.startsWith('/') ? path : `/${path}`;
}

/** RFC 3986 section 5.2.4. */
function foldDotSegments(path: string): string {
  if (!path.includes('/.')) return path;
  const kept: string[] = [];
  const segments = path.split('/').slice(1);
  for (const [i, segment] of segments.entries()) {
    const isLast = i === segments.length - 1;
    if (segment === '..') kept.pop();
    if (segment !== '.' && segment !== '..') kept.push(segment);
    else if (isLast) kept.push('');
  }
  return `/${kept.join('/')}`;
}

function findHazard(path: string): string | null {
  if (/%(?:2f|5c)/i.test(path)) return 'it holds an encoded slash or backslash';
  if (/%00/.test(path)) return 'it holds an encoded NUL';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  if (/[\x00-\x1f\x7f]/.test(path)) return 'it holds a control character';
  if (!path.includes('%')) return null;
  if (/%(?![0-9a-f]{2})/i.test(path)) return 'it holds an escape that does not decode';
  return decodeAsUtf8(path).includes('\ufffd') ? 'it holds an escape that is not UTF-8' : null;
}

function cutFrom(text: string, character: string): string {
  const at = text.indexOf(character);
  return at === -1 ? text : text.slice(0, at);
}

/**
 * The path as the configuration means it: decoded, folded, without double or trailing slashes. Configured names are
 * short, so the work is not counted.
 */
export function foldPath(path: string): string {
  return trimEnd(foldCharacters(decodePercent(path)).replace(/\/{2,}/g, '/'));
}

/** Decodes once. An escape that is not UTF-8 is read byte by byte, as old servers do. */
export function decodePercent(path: string): string {
  return path.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    const text = decodeEscapes(escapes);
    return text.includes('\ufffd')
      ? Buffer.from(escapes.replaceAll('%', ''), 'hex').toString('latin1')
      : text;
  });
}

/** Decodes once. Bytes that are not UTF-8 become U+FFFD. */
export function decodeAsUtf8(path: string): string {
  return path.replace(/(?:%[0-9a-f]{2})+/gi, decodeEscapes);
}

function decodeEscapes(escapes: string): string {
  // Nearly always there are one or two escapes: without a buffer, this takes a sixth of the time.
  const first = Number.parseInt(escapes.slice(1, 3), 16);
  if (escapes.length === 3) return first < 0x80 ? String.fromCharCode(first) : '\ufffd';
  if (escapes.length === 6) {
    const second = Number.parseInt(escapes.slice(4), 16);
    if (first < 0x80 && second < 0x80) return String.fromCharCode(first, second);
    if (first >= 0xc2 && first <= 0xdf && second >> 6 === 2)
      return String.fromCharCode(((first & 0x1f) << 6) | (second & 0x3f));
  }
  return Buffer.from(escapes.replaceAll('%', ''), 'hex').toString('utf8');
}

/**
 * Folds compatibility forms, case, and invisible characters: `ＳＩＧＮＵＰ`, `ſignup` and `sıgnup` become `signup`. Upper
 * case comes first, because some letters are equal only in upper case. `\u0130` leaves a combining dot.
 *
 * Normalization sorts combining marks, which takes quadratic time: call `isFoldable` first when a client wrote the
 * text.
 */
export function foldCharacters(path: string): string {
  if (isAscii(path)) return path.toLowerCase();
  const visible = dropIgnorable(dropIgnorable(path).normalize('NFKC'));
  return swapCase(visible).normalize('NFKC').replaceAll('i\u0307', 'i');
}

/**
 * Converts to upper case and back. The capital `ẞ` becomes `ss` only by its small form. Both forms of sigma become one:
 * which form is used depends on the letters around.
 */
export function swapCase(text: string): string {
  return text.replaceAll('\u1e9e', '\u00df').toUpperCase().replaceAll('\u03a3', '\u03c3').toLowerCase();
}

/**
 * Whether folding costs at most a fixed amount for each character: at most 30 combining marks in a row, as in the
 * Stream-Safe Text Format (Unicode Standard Annex 15, section 13). Text that people write has fewer.
 */
export function isFoldable(path: string): boolean {
  return isAscii(path) || !/[\p{M}\uff9e\uff9f]{31}/u.test(dropIgnorable(path));
}

export function isAscii(text: string): boolean {
  return !/[^\x20-\x7e]/.test(text);
}

export function dropIgnorable(text: string): string {
  return text.replace(/\p{Default_Ignorable_Code_Point}+/gu, '');
}

/** Servers drop trailing slashes (Express, Koa), dots and spaces (Windows file systems). */
function trimEnd(path: string): string {
  // Reads from the end, since `/[/.\s]+$/` takes 0.4 s for 15,000 slashes in the middle.
  let end = path.length;
  while (end > 0 && isDropped(path, end - 1)) end--;
  const trimmed = end === path.length ? path : path.slice(0, end);
  return trimmed.startsWith('/') ? trimmed : `/${trimmed}`;
}

function isDropped(path: string, at: number): boolean {
  const code = path.charCodeAt(at);
  if (code > 0x7f) return /\s/.test(path.charAt(at));
  return code === 0x2f || code === 0x2e || code === 0x20 || (code >= 0x09 && code <= 0x0d);
}
