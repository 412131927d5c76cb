import type { WorkBudget } from '../budgets.ts';
import { SCRIPT_EXTENSIONS, withoutFrontController } from './front-controllers.ts';
import { needleOf } from './near-text.ts';
import { foldPath } from './path-variants.ts';

/** A route's path, compiled: literal, or with `:param` and `*` for one segment and `**` for the rest. */
export interface PathPattern {
  /** The result of `keyOf` for every matching path with underscores; null when matching paths have different keys. */
  readonly key: string | null;
  /** A word that every matching request must hold in some spelling; null when there is no such word. */
  readonly needle: string | null;
  /**
   * @param path A folded variant, with underscores.
   * @param segments The segments of the path; needed when `key` is null.
   */
  matches(path: string, segments: readonly string[]): boolean;
}

/** Scripts that a server runs with any path after them: `/signup.php/x` runs `signup.php` with `/x` as path info. */
const SCRIPT = new RegExp(`\\.(?:${SCRIPT_EXTENSIONS})$`);
/**
 * Extensions of scripts, pages and formats: with them one resource has several names, as `/signup.php` is also
 * `/signup` and `/signup.json`. Other words after a dot do not count: `/trpc/auth.signup` is neither `/trpc/auth` nor
 * `/trpc/auth.login`.
 */
const EXTENSION = new RegExp(
  `(?<=[^/])\\.(?:${SCRIPT_EXTENSIONS}|asmx|axd|svc|jsf|faces|seam|xhtml|s?html?|htmx|action|json|jsonp|xml|txt|csv|ya?ml|js|mjs|rss|atom)$`,
);
/** The files that a server looks for in a folder: the path of the folder reaches them. */
const INDEX = /\/(?:index|default)\.[a-z0-9]{1,5}$/;

/** @param configured Begins with `/`; the configuration has validated it. */
export function compilePath(configured: string): PathPattern {
  const segments = segmentsOf(configured);
  const isLiteral = !segments.some(isPlaceholder);
  const last = segments.at(-1) ?? '';
  const isFolder = INDEX.test(`/${last}`);
  const words = segments.map((segment, i) => (endsPath(segments, i) ? stemOf(segment) : segment));
  if (isFolder) words.pop();
  const needle = needleOf(words.filter((word) => !isPlaceholder(word)));
  if (isProcedure(last) || isAction(segments))
    return { key: null, needle, matches: matchProcedure(segments.slice(0, -1), last) };
  if (isLiteral && !SCRIPT.test(last) && !isFolder) {
    const literal = `/${segments.join('/')}`;
    return { key: keyOf(literal), needle, matches: formatsOf(literal) };
  }
  return isLiteral
    ? { key: null, needle, matches: matchScript(`/${segments.join('/')}`) }
    : { key: null, needle, matches: matchSegments(segments) };
}

/**
 * The segments that paths are compared with. An app with a front controller is also reached without its name, and with
 * the path in the query: `/index.php/signup` is `/signup`, unless nothing but placeholders is left.
 */
export function segmentsOf(configured: string): readonly string[] {
  const folded = foldPath(configured);
  const whole = folded.split('/').slice(1);
  const below = withoutFrontController(folded)?.split('/').slice(1) ?? [];
  const segments = below.every(isPlaceholder) ? whole : below;
  return segments.map((one) => (isPlaceholder(one) ? one : withUnderscores(one)));
}

/** CakePHP and CodeIgniter read a hyphen in the name of an action as an underscore. Paths are compared like this. */
export function withUnderscores(path: string): string {
  return path.replaceAll('-', '_');
}

/** A path without the part after the first dot inside its last segment. */
export function keyOf(path: string): string {
  const dot = path.indexOf('.', path.lastIndexOf('/') + 2);
  return dot === -1 ? path : path.slice(0, dot);
}

function isPlaceholder(segment: string): boolean {
  return segment === '*' || segment === '**' || segment.startsWith(':');
}

function stemOf(text: string): string {
  return text.replace(EXTENSION, '');
}

/** Matches a text with any extension, as Rails and PHP with MultiViews do. */
function formatsOf(wanted: string): (text: string) => boolean {
  const stem = stemOf(wanted);
  return (text) =>
    text === wanted || (text.startsWith(stem) && (text.length === stem.length || text[stem.length] === '.'));
}

/** Matches a script with path info after it, or an index file, which the path of its folder reaches. */
function matchScript(literal: string): (path: string) => boolean {
  const isFormat = formatsOf(literal);
  // The pattern also matches without the extension, because of MultiViews and every `try_files $uri $uri.php`.
  const above = SCRIPT.test(literal) ? [`${literal}/`, `${stemOf(literal)}/`] : [];
  const folder = INDEX.test(literal) ? literal.replace(INDEX, '') || '/' : null;
  return (path) => isFormat(path) || path === folder || above.some((start) => path.startsWith(start));
}

/** A name with a word behind a dot that is no extension, such as `auth.signup`. */
function isProcedure(segment: string): boolean {
  return !isPlaceholder(segment) && stemOf(segment) === segment && /[^.]\.[^.]/.test(segment);
}

/** The path of an action of Astro, such as `/_actions/signup`. */
function isAction(segments: readonly string[]): boolean {
  return segments.at(-2) === '_actions' && segments.at(-1) !== '**';
}

/**
 * Matches a procedure or an action at any depth below its folders. tRPC's adapter for Express reads only the text after the
 * last slash, so `/trpc/x/auth.signup` runs `auth.signup`; mounted at the root, it has no folder. Astro reads only the text
 * after the last `/_actions/`, so `/_actions/x/_actions/signup` runs `signup`.
 */
function matchProcedure(
  folders: readonly string[],
  procedure: string,
): (path: string, segments: readonly string[]) => boolean {
  const isFormat = isPlaceholder(procedure) ? (text: string) => text !== '' : formatsOf(procedure);
  return (_path, segments) =>
    segments.length > folders.length &&
    isFormat(segments.at(-1) ?? '') &&
    folders.every((wanted, i) => (isPlaceholder(wanted) ? segments[i] !== '' : segments[i] === wanted));
}

/** Whether a path may end with this segment of a pattern: `/signup/**` matches `/signup` too. */
function endsPath(pattern: readonly string[], i: number): boolean {
  return i === pattern.length - 1 || pattern[i + 1] === '**';
}

function matchSegments(pattern: readonly string[]): (path: string, segments: readonly string[]) => boolean {
  const formats = pattern.map((wanted, i) => (endsPath(pattern, i) ? formatsOf(wanted) : null));
  const isScript = SCRIPT.test(pattern.at(-1) ?? '');
  return (_path, segments) => {
    for (const [i, wanted] of pattern.entries()) {
      if (wanted === '**') return true;
      const segment = segments[i];
      if (segment === undefined) return false;
      const isFormat = i === segments.length - 1 ? formats[i] : null;
      if (isPlaceholder(wanted)) {
        if (segment === '') return false;
      } else if (isFormat ? !isFormat(segment) : segment !== wanted) {
        return false;
      }
    }
    return segments.length === pattern.length || isScript;
  };
}

/** The cost of an alias and of each of its characters, in units of the budget. */
const COST_PER_ALIAS = 500;
const COST_PER_CHARACTER = 12;

/**
 * The data of a page, which runs the same code as the page: `.data`, `_.data` and `_root.data` in its folder (React
 * Router), `q-data.json` (Qwik) and `__data.json` (SvelteKit).
 */
const PAGE_DATA = /\/(?:(?:_|_root)?\.[a-z]+|q-data\.json|__data\.json)$/;
/** The same in Nuxt, for pages that it caches. Its pattern `_payload.json` takes any character for the dot, also a `?`. */
const NUXT_DATA = /\/_payload[^/]*$/;
/** The same in Next.js, below the id of the build, and below a language too, which an API route has only here. */
const NEXT_DATA = /\/_next\/data\/[^/]+(?=\/)/;
const NEXT_DATA_OF_LANGUAGE = /\/_next\/data\/[^/]+\/[^/]+(?=\/)/;
/** CherryPy reads it as underscores in the name of an action. */
const PUNCTUATION = /[!-,.:-@[-^`{-~]/;
const ALL_PUNCTUATION = new RegExp(PUNCTUATION, 'g');
/**
 * CivetWeb compares a path with the text of a pattern before it reads the pattern: `/signup$/x` reaches the handler of
 * `/signup$`.
 */
const PATTERN_END = /\$(?:\/.*)?$/s;
/** The default action of a controller, and its arguments (CodeIgniter, CakePHP, Yii, ASP.NET MVC). */
const INDEX_ACTION = /\/index(?:\/.*)?$/s;
/** The group is the folder of the script. */
const SCRIPT_IN_FRONT = new RegExp(`^((?:/[^/]+)*?)/[^/]+\\.(?:${SCRIPT_EXTENSIONS})(?=/)`);
/** A script with path info after it. The index script of the top folder receives every path, so it is excluded. */
const HANDED_SCRIPT = new RegExp(`/(?!(?<=^/)(?:index|default)\\.)[^/]+\\.(?:${SCRIPT_EXTENSIONS})(?=/)`);

/**
 * Other paths that servers treat like this one: the page of its data (`/signup/.data`), without the index file of a folder
 * (`/signup/index.php`), without a leading front controller (`/index.php/signup`) or its folder, without the path info of a
 * script (`/signup.php/x`), without the default action (`/signup/index`), with other punctuation (`/sign!up` for
 * `/sign_up`), without the end of a pattern (`/signup$`), and each procedure of a list (`/trpc/user.list,auth.signup`).
 * @param path A folded variant.
 * @returns null when the path has no other name.
 */
export function aliasesOf(path: string, budget: WorkBudget): readonly string[] | null {
  const last = path.lastIndexOf('/') + 1;
  const isList = path.includes(',', last);
  const hasIndex = path.includes('/index');
  if (!hasIndex && !path.includes('/_payload') && !PUNCTUATION.test(path)) return null;
  const aliases = new Set([path, path.replace(ALL_PUNCTUATION, '_'), path.replace(PATTERN_END, '') || '/']);
  aliases.add(path.replace(NEXT_DATA_OF_LANGUAGE, '')).add(path.replace(NUXT_DATA, '') || '/');
  for (const procedure of isList ? path.slice(last).split(',') : []) {
    budget.spend(COST_PER_ALIAS + last);
    if (procedure.trim() !== '') aliases.add(path.slice(0, last) + procedure.trim());
  }
  for (const alias of [...aliases]) {
    budget.spend(COST_PER_ALIAS + alias.length * COST_PER_CHARACTER);
    if (alias.includes('.')) {
      const page = alias.replace(NEXT_DATA, '').replace(PAGE_DATA, '') || '/';
      const script = withoutPathInfo(page);
      aliases.add(page).add(script);
      for (const file of [page, script]) aliases.add(file.replace(INDEX, '') || '/');
    }
  }
  for (const alias of [...aliases])
    for (const folder of ['', '$1']) aliases.add(alias.replace(SCRIPT_IN_FRONT, folder));
  if (hasIndex) for (const alias of [...aliases]) aliases.add(alias.replace(INDEX_ACTION, '') || '/');
  return [...aliases];
}

function withoutPathInfo(path: string): string {
  const script = HANDED_SCRIPT.exec(path);
  return script ? path.slice(0, script.index + script[0].length) : path;
}
