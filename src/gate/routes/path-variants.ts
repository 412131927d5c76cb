/**
 * Every way in which an upstream may read the path of a request target. "Match wide": a request that any of these
 * readings takes for a signup is judged. What is forwarded is never one of them but the target as it came.
 *
 * Each step below is one that some server, framework or file system is known to take; they are applied in every order
 * until nothing new appears, because servers behind servers take them in every order.
 */

/** What a path can be read as. */
export interface Readings {
  /** Folded paths: lower case, no trailing slash, dot or space. Each begins with `/`. */
  readonly paths: readonly string[];
  /**
   * Something in the path that readers disagree about beyond spelling: an encoded slash, backslash or NUL, a control
   * character, an escape that does not decode. Null when there is none.
   */
  readonly hazard: string | null;
  /** False when it was given up: there may be readings that are not among the paths. */
  readonly complete: boolean;
}

/**
 * No real path comes near either; one that does is made to. Real ones have at most 8 readings; the second bound keeps a
 * path as long as a whole head (16 KB) under 25 ms.
 */
const MAX_READINGS = 256;
const MAX_READ_CHARACTERS = 50_000;

/** Lower-case words, digits and dots inside names: one reading, and nearly every request is one of these. */
const PLAIN_PATH = /^(?:\/[a-z0-9_-][a-z0-9_.-]*)+$|^\/$/;

const STEPS: readonly ((path: string) => string)[] = [
  decodePercent,
  decodeOldEscapes,
  // What a lenient decoder leaves of an escape that does not decode.
  (path) => path.replace(/%(?![0-9a-f]{2})/gi, ''),
  (path) => path.replace(/%(?![0-9a-f]{2})[^/]{0,2}/gi, ''),
  (path) => path.replace(/%[89a-f][0-9a-f]/gi, ''),
  (path) => path.replaceAll('\\', '/'),
  (path) => path.replace(/\/{2,}/g, '/'),
  foldDotSegments,
  // `//host/signup` is a URL without scheme to whoever resolves it against one: `new URL(target, base)`.
  (path) => path.replace(/^[/\\]{2,}[^/\\?#]+/, ''),
  // Matrix parameters: Tomcat and others cut them from each segment; some cut all from the first on.
  (path) => path.replace(/;[^/]*/g, ''),
  (path) => cutFrom(path, ';'),
  (path) => cutFrom(path, '?'),
  (path) => cutFrom(path, '#'),
  (path) => cutFrom(path, '\0'),
  (path) => path.replaceAll('\0', ''),
  // The cookieless session of ASP.NET is cut from wherever it stands.
  (path) => path.replace(/\/\((?:[A-Za-z]\([^()/]*\))+\)(?=\/|$)/g, ''),
  foldCharacters,
];

/**
 * @param target The request target as it came: origin-form or absolute-form. The query never changes a reading.
 */
export function readPath(target: string): Readings {
  const path = pathOf(target);
  if (PLAIN_PATH.test(path) && !path.endsWith('.')) return { paths: [path], hazard: null, complete: true };
  const seen = new Set([path]);
  const hazards = new Set<string>();
  let characters = 0;
  let complete = true;
  for (const reading of seen) {
    noteHazards(reading, hazards);
    for (const step of STEPS) seen.add(step(reading));
    characters += reading.length;
    complete = seen.size <= MAX_READINGS && characters <= MAX_READ_CHARACTERS;
    if (complete) continue;
    hazards.add('it can be read in too many ways');
    break;
  }
  const paths = new Set([...seen].map(trimEnd));
  return { paths: [...paths], hazard: [...hazards][0] ?? null, complete };
}

/** One path as configuration means it: decoded, folded, without doubled or trailing slashes. */
export function foldPath(path: string): string {
  return trimEnd(foldCharacters(decodePercent(path)).replace(/\/{2,}/g, '/'));
}

/** The path of a target: without scheme and authority (absolute-form, RFC 9112 section 3.2.2) and without query. */
function pathOf(target: string): string {
  const path = cutFrom(target, '?');
  if (path.startsWith('/')) return path;
  const authority = /^[a-z][a-z0-9+.-]*:[/\\]{2}[^/\\#]*/i.exec(path);
  const rest = authority ? path.slice(authority[0].length) : path;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** Decodes once. An escape that is no UTF-8 is read byte by byte, as old servers do. */
function decodePercent(path: string): string {
  return path.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    const bytes = Buffer.from(escapes.replaceAll('%', ''), 'hex');
    const text = bytes.toString('utf8');
    return text.includes('\ufffd') ? bytes.toString('latin1') : text;
  });
}

/** `%u0073` of old IIS, and two-byte spellings of ASCII that UTF-8 forbids (RFC 3629 section 10). */
function decodeOldEscapes(path: string): string {
  return path
    .replace(/%u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/%c([01])%([89ab][0-9a-f])/gi, (_, lead: string, trail: string) =>
      String.fromCharCode((Number(lead) << 6) | (Number.parseInt(trail, 16) & 0x3f)),
    );
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

/**
 * Compatibility forms, case, and characters that are not shown: `ＳＩＧＮＵＰ`, `ſignup` and `sıgnup` are `signup`. Upper
 * case first, because some letters only meet there; `\u0130` leaves a dot behind.
 */
function foldCharacters(path: string): string {
  if (/^[\x20-\x7e]*$/.test(path)) return path.toLowerCase();
  const visible = path.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  return visible.toUpperCase().toLowerCase().normalize('NFKC').replaceAll('i\u0307', 'i');
}

/** Trailing slashes (Express, Koa), dots and spaces (Windows file systems) are dropped by those who read them. */
function trimEnd(path: string): string {
  // From the end: `/[/.\s]+$/` takes 0.4 s for 15,000 slashes in the middle.
  let end = path.length;
  while (end > 0 && /[/.\s]/.test(path.charAt(end - 1))) end--;
  const trimmed = path.slice(0, end);
  return trimmed.startsWith('/') ? trimmed : `/${trimmed}`;
}

function noteHazards(reading: string, hazards: Set<string>): void {
  if (/%(?:2f|5c)/i.test(reading)) hazards.add('it holds an encoded slash or backslash');
  if (/%00/.test(reading)) hazards.add('it holds an encoded NUL');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  if (/[\x00-\x1f\x7f]/.test(reading)) hazards.add('it holds a control character');
  if (/%(?![0-9a-f]{2})/i.test(reading)) hazards.add('it holds an escape that does not decode');
  if (/\ufffd/.test(decodeStrictly(reading))) hazards.add('it holds an escape that is not UTF-8');
}

function decodeStrictly(path: string): string {
  if (!path.includes('%')) return '';
  return path.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) =>
    Buffer.from(escapes.replaceAll('%', ''), 'hex').toString('utf8'),
  );
}

function cutFrom(text: string, character: string): string {
  const at = text.indexOf(character);
  return at === -1 ? text : text.slice(0, at);
}
