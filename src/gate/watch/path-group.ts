/** Longer paths are cut: no signup is deeper. */
const MAX_SEGMENTS = 6;
/** A word that a developer chose. Ids, tokens and names of people are none. */
const WORD = /^[a-z](?:[a-z]|[._-](?=[a-z0-9])|\d(?!\d\d)){0,31}$/i;

/**
 * The path of a request with what may tell of a person taken out: `/users/4711/invite?mail=…` is `/users/:id/invite`.
 * A valid path of a route.
 */
export function pathGroup(path: string): string {
  const end = path.search(/[?#]/);
  const segments = (end === -1 ? path : path.slice(0, end)).split('/', MAX_SEGMENTS + 2).slice(1);
  const kept = segments
    .slice(0, MAX_SEGMENTS)
    .map((segment, i) =>
      WORD.test(segment) || (segment === '' && i === segments.length - 1) ? segment : ':id',
    );
  return segments.length > MAX_SEGMENTS ? `/${kept.join('/')}/**` : `/${kept.join('/')}`;
}
