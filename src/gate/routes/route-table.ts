import type { RouteConfig } from '../../config/config.ts';
import type { WorkBudget } from '../budgets.ts';
import { lenientWord, wordIn } from '../signup-body/lenient-word.ts';
import { aliasesOf, compilePath, keyOf, type PathPattern, withUnderscores } from './path-pattern.ts';

/**
 * The condition that the body must fulfil for a request to match a route.
 * - `none`: the route has the method, or a header or the query changes the method to one that it has.
 * - `method field`: the body has a `_method` field with such a method. Frameworks read the field in POST; a server in
 * front of them may read it in any request.
 * - `email field`: the body has the route's email, or such a `_method`. Handlers that ignore the method (Go's mux,
 * Django's function views, PHP scripts, `app.all`) run for any request that has the email.
 * - `stored document`: a GET that is never judged, whose query may have a GraphQL document. Servers with automatic
 * persisted queries store it, and a later POST runs it by its hash.
 */
export type BodyCondition = 'none' | 'method field' | 'email field' | 'stored document';

/** The methods that a route without configured methods judges with any body. */
export const UNNAMED_METHODS: readonly string[] = ['POST'];

/**
 * A route whose path, method and conditions on the head match. The conditions on the body are checked after the body
 * was read.
 */
export interface RouteCandidate {
  readonly route: RouteConfig;
  /** The matching variant of the path and its place: `the target`, `the query`, or a header's name. */
  readonly pathVariant: string;
  readonly source: string;
  readonly bodyCondition: BodyCondition;
}

export interface CompiledRoute {
  readonly route: RouteConfig;
  readonly pattern: PathPattern;
  /** Requests with these methods are judged with any body. */
  readonly methods: ReadonlySet<string>;
  /** Whether the route has conditions on header fields or on the query. */
  readonly looksAt: { readonly header: boolean; readonly query: boolean };
  /** Finds the route's GraphQL operation in a query; null when the route has none. */
  readonly operation: RegExp | null;
}

/** A route, and the path that matched it. */
export interface PathHit {
  readonly entry: CompiledRoute;
  readonly pathVariant: string;
}

export interface RouteTable {
  /** The routes in configured order. */
  readonly entries: readonly CompiledRoute[];
  /** All methods that at least one route judges with any body. */
  readonly methods: ReadonlySet<string>;
  /** Whether some route selects a GraphQL operation. */
  readonly hasGraphql: boolean;
  /** @param path A folded variant. */
  find(path: string, budget: WorkBudget): readonly PathHit[];
}

/** A pattern compares a few segments, in units of the budget. */
const COST_PER_PATTERN = 50;

const NO_HITS: readonly PathHit[] = [];

/** Compiles the routes once. A path that matches no route costs one look-up, and one comparison for each pattern. */
export function createRouteTable(routes: readonly RouteConfig[]): RouteTable {
  const entries: readonly CompiledRoute[] = routes.map((route) => ({
    route,
    pattern: compilePath(route.path),
    methods: judgedMethods(route),
    looksAt: { header: hasCondition(route, 'header'), query: hasCondition(route, 'query') },
    operation: operationIn(route),
  }));
  const byKey = new Map<string, CompiledRoute[]>();
  for (const entry of entries) {
    const { key } = entry.pattern;
    if (key !== null) byKey.set(key, [...(byKey.get(key) ?? []), entry]);
  }
  const patterns = entries.filter(({ pattern }) => pattern.key === null);

  function findExactly(pathVariant: string, budget: WorkBudget): readonly PathHit[] {
    const path = withUnderscores(pathVariant);
    const literals = byKey.get(keyOf(path));
    if (literals === undefined && patterns.length === 0) return NO_HITS;
    const hits: PathHit[] = [];
    const segments = patterns.length > 0 ? path.split('/').slice(1) : [];
    budget.spend(patterns.length * COST_PER_PATTERN);
    for (const entry of literals ?? [])
      if (entry.pattern.matches(path, segments)) hits.push({ entry, pathVariant });
    for (const entry of patterns)
      if (entry.pattern.matches(path, segments)) hits.push({ entry, pathVariant });
    return hits;
  }

  return {
    entries,
    methods: new Set(entries.flatMap(({ methods }) => [...methods])),
    hasGraphql: entries.some(({ operation }) => operation !== null),
    find(path, budget) {
      const aliases = aliasesOf(path, budget);
      if (aliases === null) return findExactly(path, budget);
      return aliases.flatMap((alias) => findExactly(alias, budget));
    },
  };
}

/** Nearly every framework runs the handler of a GET for a HEAD too, and drops only the body of the answer. */
function judgedMethods({ methods }: RouteConfig): ReadonlySet<string> {
  const named = methods ?? UNNAMED_METHODS;
  return new Set(named.includes('GET') ? [...named, 'HEAD'] : named);
}

function operationIn({ when: { operationName } }: RouteConfig): RegExp | null {
  if (operationName === undefined) return null;
  // Any name counts.
  return typeof operationName === 'object'
    ? /./
    : new RegExp(lenientWord(wordIn(String(operationName))), 'i');
}

function hasCondition({ when }: RouteConfig, place: 'header' | 'query'): boolean {
  return Object.keys(when).some((name) => name.toLowerCase().startsWith(`${place}:`));
}
