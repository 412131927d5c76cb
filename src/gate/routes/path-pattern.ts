import { foldPath } from './readings.ts';

/** A route's path, compiled: literal, or with `:param` and `*` for one segment and `**` for the rest. */
export interface PathPattern {
  /** The folded path when it alone matches; null when more do. */
  readonly literal: string | null;
  /**
   * @param path A folded reading.
   * @param alias Whether the reading was made by cutting something off (a format, an index file).
   */
  matches(path: string, alias: boolean): boolean;
}

/** Scripts that servers run with anything behind them: `/signup.php/x` runs `signup.php` with `/x` as path info. */
const SCRIPT = /\.(?:php\d?|phtml|cgi|fcgi|pl|py|rb|aspx?|jspx?|cfm|do)$/;
/** What a server looks for in a folder, so that the folder's own path reaches it. */
const INDEX = /\/(?:index|default)\.[a-z0-9]{1,5}$/;

/** @param path Begins with `/`; validated with the configuration. */
export function compilePath(path: string): PathPattern {
  const segments = foldPath(path).split('/').slice(1);
  if (!segments.every((segment) => !isPlaceholder(segment))) {
    return { literal: null, matches: (reading) => matchSegments(segments, reading.split('/').slice(1)) };
  }
  const literal = `/${segments.join('/')}`;
  const script = SCRIPT.test(literal) ? literal : null;
  const bare = literal.replace(SCRIPT, '');
  const folder = INDEX.test(literal) ? literal.replace(INDEX, '') || '/' : null;
  if (script === null && folder === null) {
    return { literal, matches: (reading) => reading === literal };
  }
  return {
    literal: null,
    matches: (reading, alias) =>
      reading === literal ||
      reading === folder ||
      (script !== null &&
        (reading.startsWith(`${script}/`) ||
          // Without its ending too: MultiViews, and every `try_files $uri $uri.php`.
          (!alias && (reading === bare || reading.startsWith(`${bare}/`))))),
  };
}

function isPlaceholder(segment: string): boolean {
  return segment === '*' || segment === '**' || segment.startsWith(':');
}

function matchSegments(pattern: readonly string[], segments: readonly string[]): boolean {
  for (const [i, wanted] of pattern.entries()) {
    if (wanted === '**') return true;
    const segment = segments[i];
    if (segment === undefined) return false;
    if (isPlaceholder(wanted) ? segment === '' : wanted !== segment) return false;
  }
  if (segments.length <= pattern.length) return segments.length === pattern.length;
  return SCRIPT.test(pattern.at(-1) ?? '');
}

/** The action that a controller has by default, and what it is handed (CodeIgniter, CakePHP, Yii, ASP.NET MVC). */
const INDEX_ACTION = /\/index(?:\/.*)?$/;
const SCRIPT_IN_FRONT = /^\/(?:[^/]+\/)*?[^/]+\.(?:php\d?|phtml|cgi|fcgi|pl|py)(?=\/)/;

/**
 * A reading and other paths that servers take for the same: without a trailing format (`/signup.json`: Rails, PHP with
 * MultiViews), without the file that stands for its folder (`/signup/index.php`), without a leading front controller
 * (`/index.php/signup`), without the action that is meant when none is named (`/signup/index`).
 */
export function aliasesOf(path: string): readonly string[] {
  const hasAction = path.includes('/index');
  if (!hasAction && !path.includes('.')) return [path];
  const aliases = new Set([path]);
  aliases.add(path.replace(/(?<=[^/])\.[a-z0-9]{1,10}$/, ''));
  aliases.add(path.replace(INDEX, '') || '/');
  for (const alias of [...aliases]) aliases.add(alias.replace(SCRIPT_IN_FRONT, ''));
  if (hasAction) for (const alias of [...aliases]) aliases.add(alias.replace(INDEX_ACTION, '') || '/');
  return [...aliases];
}
