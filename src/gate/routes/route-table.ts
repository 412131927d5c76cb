import type { RouteConfig } from '../../config/config.ts';
import type { WorkBudget } from '../work-budget.ts';
import { UNNAMED_METHODS } from './body-condition.ts';
import { aliasesOf } from './path-aliases.ts';
import { compilePath, keyOf, type PathPattern } from './path-pattern.ts';

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
