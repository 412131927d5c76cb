import { hasControls } from './url-formats.ts';

/**
 * Says what is wrong with the `path` of a route: segments are literal, `:param`, `*` for one segment, or a last `**`
 * for the rest. Written as people read it, undecoded spellings are the gate's work.
 *
 * @returns null when nothing is.
 */
export function routePathProblem(path: string): string | null {
  if (!path.startsWith('/')) return 'it must begin with /';
  if (/[?#]/.test(path)) return 'a query or fragment never changes a match; leave it out';
  if (path.includes('%')) return 'write it decoded, without % escapes';
  if (hasControls(path) || /[\\;]/.test(path)) return 'it must not contain \\, ; or control characters';
  if (/^\/\.gatekeeper(?:\/|$)/i.test(path)) return '/.gatekeeper/ belongs to Gatekeeper itself';
  const segments = path.slice(1).split('/');
  const last = segments.length - 1;
  for (const [i, segment] of segments.entries()) {
    if (segment === '' && i < last) return 'it must not contain //';
    if (segment === '.' || segment === '..') return 'it must not contain . or .. segments';
    if (segment === '**' && i < last) return '** stands for the rest and must come last';
    if (segment.includes('*') && !/^\*\*?$/.test(segment)) return '* must stand for a whole segment';
    if (segment.startsWith(':') && !/^:[A-Za-z_]\w*$/.test(segment)) {
      return `${segment} is no parameter: write : and a name of letters, digits and _`;
    }
  }
  return null;
}
