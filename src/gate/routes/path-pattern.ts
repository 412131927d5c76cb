import type { WorkBudget } from '../work-budget.ts';
import { needleOf } from './near-text.ts';
import { foldPath } from './path-variants.ts';

/** A route's path, compiled: literal, or with `:param` and `*` for one segment and `**` for the rest. */
export interface PathPattern {
  /** What `keyOf` says of every path that matches; null when paths of several keys do. */
  readonly key: string | null;
  /** A word that every request which matches has to hold in some spelling; null when there is none. */
  readonly needle: string | null;
  /**
   * @param path A folded variant.
   * @param segments Of the path; asked for where `key` is null.
   */
  matches(path: string, segments: readonly string[]): boolean;
}

/** Scripts that servers run with anything behind them: `/signup.php/x` runs `signup.php` with `/x` as path info. */
const SCRIPT = /\.(?:php\d?|phtml|f?cgi|pl|py|rb|aspx?|jspx?|cfm|do)$/;
/**
 * Endings of scripts, pages and formats, by which one thing has many names: `/signup.php` is `/signup` and `/signup.json`
 * too. Not any word behind a dot, for `/trpc/auth.signup` is neither `/trpc/auth` nor `/trpc/auth.login`.
 */
const EXTENSION =
  /(?<=[^/])\.(?:php\d?|phtml|f?cgi|pl|py|rb|lua|exe|dll|aspx?|ashx|asmx|axd|svc|jspx?|jsf|faces|seam|xhtml|s?html?|htmx|cfm|cfc|do|action|json|jsonp|xml|txt|csv|ya?ml|js|mjs|rss|atom)$/;
/** What a server looks for in a folder, so that the folder's own path reaches it. */
const INDEX = /\/(?:index|default)\.[a-z0-9]{1,5}$/;

/** @param configured Begins with `/`; validated with the configuration. */
export function compilePath(configured: string): PathPattern {
  const segments = foldPath(configured).split('/').slice(1);
  const isLiteral = !segments.some(isPlaceholder);
  const last = segments.at(-1) ?? '';
  const isFolder = INDEX.test(`/${last}`);
  const words = [...segments.slice(0, -1), isFolder ? '' : stemOf(last)];
  const needle = needleOf(words.filter((word) => !isPlaceholder(word)));
  if (isLiteral && !SCRIPT.test(last) && !isFolder) {
    const literal = `/${segments.join('/')}`;
    return { key: keyOf(literal), needle, matches: formatsOf(literal) };
  }
  return isLiteral
    ? { key: null, needle, matches: matchScript(`/${segments.join('/')}`) }
    : { key: null, needle, matches: matchSegments(segments) };
}

/** A path without what follows the first dot inside its last segment. */
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

/** Tells whether a text is this one, in whatever format: whatever stands behind a dot (Rails, PHP with MultiViews). */
function formatsOf(wanted: string): (text: string) => boolean {
  const stem = stemOf(wanted);
  return (text) =>
    text === wanted || (text.startsWith(stem) && (text.length === stem.length || text[stem.length] === '.'));
}

/** A script, with path info behind it, or an index file, which the path of its folder reaches. */
function matchScript(literal: string): (path: string) => boolean {
  const isFormat = formatsOf(literal);
  // Without its ending too: MultiViews, and every `try_files $uri $uri.php`.
  const above = SCRIPT.test(literal) ? [`${literal}/`, `${stemOf(literal)}/`] : [];
  const folder = INDEX.test(literal) ? literal.replace(INDEX, '') || '/' : null;
  return (path) => isFormat(path) || path === folder || above.some((start) => path.startsWith(start));
}

function matchSegments(pattern: readonly string[]): (path: string, segments: readonly string[]) => boolean {
  const end = pattern.length - 1;
  const last = pattern[end] ?? '';
  const isFormat = formatsOf(last);
  const isScript = SCRIPT.test(last);
  return (_path, segments) => {
    for (const [i, wanted] of pattern.entries()) {
      if (wanted === '**') return true;
      const segment = segments[i];
      if (segment === undefined) return false;
      const isLast = i === end && segments.length === pattern.length;
      if (isPlaceholder(wanted)) {
        if (segment === '') return false;
      } else if (isLast ? !isFormat(segment) : segment !== wanted) {
        return false;
      }
    }
    return segments.length === pattern.length || isScript;
  };
}

/** What an alias costs beside its characters, and each of these, in units of the budget. */
const COST_PER_ALIAS = 500;
const COST_PER_CHARACTER = 12;

/** What a server looks for in a folder, so that the folder's own path reaches it. */
/** The action that a controller has by default, and what it is handed (CodeIgniter, CakePHP, Yii, ASP.NET MVC). */
const INDEX_ACTION = /\/index(?:\/.*)?$/s;
const SCRIPT_IN_FRONT = /^\/(?:[^/]+\/)*?[^/]+\.(?:php\d?|phtml|cgi|fcgi|pl|py)(?=\/)/;
/** A script with what it is handed behind it; an index script is handed every path, so it is not meant. */
const HANDED_SCRIPT =
  /\/(?!index\.|default\.)[^/]+\.(?:php\d?|phtml|f?cgi|pl|py|rb|aspx?|jspx?|cfm|do)(?=\/)/;

/**
 * A path and other paths that servers take for the same: without the file that stands for its folder
 * (`/signup/index.php`), without a leading front controller (`/index.php/signup`), without what a script is handed
 * (`/signup.php/x`), without the action that is meant when none is named (`/signup/index`); and each procedure of a list
 * (`/trpc/user.list,auth.signup`).
 *
 * @param path A folded variant.
 * @returns null where it has but its own name.
 */
export function aliasesOf(path: string, budget: WorkBudget): readonly string[] | null {
  const last = path.lastIndexOf('/') + 1;
  const isList = path.includes(',', last);
  const hasIndex = path.includes('/index');
  if (!isList && !hasIndex && !path.includes('.')) return null;
  const aliases = new Set([path]);
  for (const procedure of isList ? path.slice(last).split(',') : []) {
    budget.spend(COST_PER_ALIAS + last);
    if (procedure.trim() !== '') aliases.add(path.slice(0, last) + procedure.trim());
  }
  for (const alias of [...aliases]) {
    budget.spend(COST_PER_ALIAS + alias.length * COST_PER_CHARACTER);
    if (alias.includes('.')) {
      aliases.add(alias.replace(INDEX, '') || '/');
      aliases.add(withoutPathInfo(alias));
    }
  }
  for (const alias of [...aliases]) aliases.add(alias.replace(SCRIPT_IN_FRONT, ''));
  if (hasIndex) for (const alias of [...aliases]) aliases.add(alias.replace(INDEX_ACTION, '') || '/');
  return [...aliases];
}

function withoutPathInfo(path: string): string {
  const script = HANDED_SCRIPT.exec(path);
  return script ? path.slice(0, script.index + script[0].length) : path;
}
