import { hasControls } from './url-formats.ts';

/** The value of a route's `form` that means all pages. */
export const ANY_PAGE = 'any';

/**
 * Describes the problem of a route's `path`: segments must be literal, `:param`, `*` for one segment, or a last `**`
 * for the rest. The path is written decoded; the gate handles other spellings.
 * @returns null when the path is valid.
 */
export function routePathProblem(path: string): string | null {
  if (!path.startsWith('/')) return 'it must begin with /';
  if (path.includes('%')) return 'write it decoded, without % escapes';
  if (/:\w+\?/.test(path)) return 'an optional segment needs two routes, with and without it';
  if (/[?#]/.test(path)) return 'a query or fragment never changes a match; leave it out';
  if (/[{}<>|^[\]]|\$$/.test(path) || /\/\([^/]*\)(?:\/|$)/.test(path))
    return 'write :name for one segment, and no regular expression';
  if (hasControls(path) || /[\\;]/.test(path)) return 'it must not contain \\, ; or control characters';
  if (/^\/\.gatekeeper(?:\/|$)/i.test(path)) return '/.gatekeeper/ belongs to Gatekeeper itself';
  const segments = path.slice(1).split('/');
  const last = segments.length - 1;
  for (const [i, segment] of segments.entries()) {
    if (segment === '' && i < last) return 'it must not contain //';
    if (segment === '.' || segment === '..') return 'it must not contain . or .. segments';
    if (segment === '**' && i < last) return '** matches the rest and must be last';
    if (segment.includes('*') && !/^\*\*?$/.test(segment)) return '* must replace a whole segment';
    if (segment.startsWith(':') && !/^:[A-Za-z_]\w*$/.test(segment)) {
      return `${segment} is not a parameter: write : and a name of letters, digits and _`;
    }
  }
  return null;
}
