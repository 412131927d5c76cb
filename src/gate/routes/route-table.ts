import type { RouteConfig } from '../../config/config.ts';
import type { WorkBudget } from '../work-budget.ts';
import { aliasesOf, compilePath, keyOf, type PathPattern } from './path-pattern.ts';

/**
 * What the body has to hold so that a request counts as one of a route.
 *
 * - `none`: the method is one of the route's, or becomes one by a header or the query.
 * - `method field`: a `_method` field that names one. Frameworks look for it in POST; what is in front of them may look
 *   in any request.
 * - `email field`: the route's email, or such a `_method`. Handlers that never look at the method (Go's mux, Django's
 *   function views, PHP scripts, `app.all`) run for whatever carries it.
 */
export type BodyCondition = 'none' | 'method field' | 'email field';

/** What a route judges whatever the body holds, when it names no methods. */
export const UNNAMED_METHODS: readonly string[] = ['POST'];

/** A route whose path, method and conditions on the head fit; those on the body are left to whoever has read it. */
export interface RouteCandidate {
  readonly route: RouteConfig;
  /** The variant of the path that matched, and where it stood: `the target`, `the query`, or a header's name. */
  readonly reading: string;
  readonly source: string;
  readonly bodyCondition: BodyCondition;
}

export interface CompiledRoute {
  readonly route: RouteConfig;
  readonly pattern: PathPattern;
  /** Judged whatever the body holds. */
  readonly methods: ReadonlySet<string>;
  /** Whether it has conditions on header fields, or on the query. */
  readonly looksAt: { readonly header: boolean; readonly query: boolean };
}

/** A route, and the path by which it was found. */
export interface PathHit {
  readonly entry: CompiledRoute;
  readonly reading: string;
}

export interface RouteTable {
  /** In configured order. */
  readonly entries: readonly CompiledRoute[];
  /** All methods that some route judges whatever the body holds. */
  readonly methods: ReadonlySet<string>;
  /** @param path A folded variant. */
  find(path: string, budget: WorkBudget): readonly PathHit[];
}

/** A pattern compares a few segments, in units of the budget. */
const COST_PER_PATTERN = 50;

const NO_HITS: readonly PathHit[] = [];

/** Compiles the routes once. A path that is no route's costs one look-up, and a comparison for each pattern. */
export function createRouteTable(routes: readonly RouteConfig[]): RouteTable {
  const entries: readonly CompiledRoute[] = routes.map((route) => ({
    route,
    pattern: compilePath(route.path),
    methods: new Set(route.methods ?? UNNAMED_METHODS),
    looksAt: { header: hasCondition(route, 'header'), query: hasCondition(route, 'query') },
  }));
  const byKey = new Map<string, CompiledRoute[]>();
  for (const entry of entries) {
    const { key } = entry.pattern;
    if (key !== null) byKey.set(key, [...(byKey.get(key) ?? []), entry]);
  }
  const patterns = entries.filter(({ pattern }) => pattern.key === null);

  function findExactly(path: string, budget: WorkBudget): readonly PathHit[] {
    const literals = byKey.get(keyOf(path));
    if (literals === undefined && patterns.length === 0) return NO_HITS;
    const hits: PathHit[] = [];
    const segments = patterns.length > 0 ? path.split('/').slice(1) : [];
    budget.spend(patterns.length * COST_PER_PATTERN);
    for (const entry of literals ?? [])
      if (entry.pattern.matches(path, segments)) hits.push({ entry, reading: path });
    for (const entry of patterns)
      if (entry.pattern.matches(path, segments)) hits.push({ entry, reading: path });
    return hits;
  }

  return {
    entries,
    methods: new Set(entries.flatMap(({ methods }) => [...methods])),
    find(path, budget) {
      const aliases = aliasesOf(path, budget);
      if (aliases === null) return findExactly(path, budget);
      return aliases.flatMap((alias) => findExactly(alias, budget));
    },
  };
}

function hasCondition({ when }: RouteConfig, place: 'header' | 'query'): boolean {
  return Object.keys(when).some((name) => name.toLowerCase().startsWith(`${place}:`));
}
