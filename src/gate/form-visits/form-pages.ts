import type { RouteConfig } from '../../config/config.ts';
import { ANY_PAGE } from '../../config/route-path.ts';
import { compileRoutes } from '../routes/match-routes.ts';
import { createNearText } from '../routes/near-text.ts';
import { compilePath } from '../routes/path-pattern.ts';

/** The pages that routes name under `form`. */
export interface FormPages {
  readonly pages: readonly string[];
  /** The configured pages that a GET of this target loads. The query is ignored. */
  pagesOf(target: string): readonly string[];
}

const NO_HEADERS: readonly string[] = [];

/** Compares the path of a page like the path of a route: in every variant. Null when no route has a `form`. */
export function compileFormPages(routes: readonly RouteConfig[]): FormPages | null {
  const pages = [...new Set(routes.flatMap(({ form }) => form ?? []))];
  const [first] = routes;
  if (pages.length === 0 || first === undefined) return null;
  const paths = pages.filter((page) => page !== ANY_PAGE);
  const matcher = compileRoutes(paths.map((path) => ({ ...first, path, methods: ['GET'], when: {} })));
  const needles = paths.map((path) => compilePath(path).needle);
  const always = pages.filter((page) => page === ANY_PAGE);
  return {
    pages,
    pagesOf(target) {
      // Nearly every request returns here. A page such as `/:plan` has no fixed word to search for, so every path must
      // be compared in full.
      const near = createNearText(target);
      if (!needles.some((needle) => needle === null || near.mayHold(needle))) return always;
      const match = matcher.match({ method: 'GET', target, rawHeaders: NO_HEADERS });
      if (match.kind !== 'gated') return always;
      return [...match.candidates.map(({ route }) => route.path), ...always];
    },
  };
}
