import { foldPath } from './fold-path.ts';
import { needleOf } from './near-text.ts';

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
