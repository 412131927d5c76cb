import { foldPath } from './readings.ts';

/** A route's path, compiled: literal, or with `:param` and `*` for one segment and `**` for the rest. */
export interface PathPattern {
  /** The folded path when it has no placeholders; null otherwise. */
  readonly literal: string | null;
  /** @param path A folded reading. */
  matches(path: string): boolean;
}

/** Scripts that servers run with anything behind them: `/signup.php/x` runs `signup.php` with `/x` as path info. */
const SCRIPT = /\.(?:php\d?|phtml|cgi|fcgi|pl|py|rb|aspx?|jspx?|cfm|do)$/;

/** @param path Begins with `/`; validated with the configuration. */
export function compilePath(path: string): PathPattern {
  const segments = foldPath(path).split('/').slice(1);
  if (segments.every((segment) => !isPlaceholder(segment))) {
    const literal = `/${segments.join('/')}`;
    const pathInfo = SCRIPT.test(literal) ? `${literal}/` : null;
    return {
      literal: pathInfo === null ? literal : null,
      matches: (reading) => reading === literal || (pathInfo !== null && reading.startsWith(pathInfo)),
    };
  }
  return { literal: null, matches: (reading) => matchSegments(segments, reading.split('/').slice(1)) };
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
  return segments.length === pattern.length;
}
