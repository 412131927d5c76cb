import type { WorkBudget } from '../work-budget.ts';
import type { FittedHead, RouteFit } from './fit-routes.ts';
import { createNearText } from './near-text.ts';
import { createPathVariants, pathOf, queryOf } from './path-variants.ts';
import { frontFolder, nearQuery, pathsInQuery } from './query-paths.ts';
import type { CompiledRoute, PathHit, RouteTable } from './route-table.ts';

/** A head and everything that is asked of it while its path is looked for. */
export interface SearchedHead extends FittedHead {
  readonly fit: RouteFit;
}

export interface FoundRoutes {
  /** Each with the path and the source by which it was found first. */
  readonly hits: ReadonlyMap<CompiledRoute, PathHit & { readonly source: string }>;
  /** What makes a path that hit hazardous; null when nothing does. */
  readonly hazard: string | null;
}

/** What a target could come to, before any variant of it is made. */
export interface Nearby {
  readonly entries: readonly CompiledRoute[];
  /** A path of our own. */
  readonly isOwn: boolean;
}

export const THE_TARGET = 'the target';
export const THE_QUERY = 'the query';

const OWN_PREFIX = '/.gatekeeper';
/** What every spelling of our own paths comes to. */
export const OWN_NEEDLE = 'gatekeeper';

/** The routes that a path in one variant is one of; null when there are none. */
export function findPlain(table: RouteTable, path: string): FoundRoutes | null {
  const found = table.find(path, UNCOUNTED);
  if (found.length === 0) return null;
  return { hits: new Map(found.map((hit) => [hit.entry, { ...hit, source: THE_TARGET }])), hazard: null };
}

/** One plain path has a few aliases at most, and takes linear time. */
const UNCOUNTED: WorkBudget = { spend: () => {}, grow: () => {} };

/** The routes that a request could come to by path, method and header fields. Takes linear time and no budget. */
export function findNearby(table: RouteTable, { target, fields, fit }: SearchedHead): Nearby {
  const sent = [target, ...fields.targets.keys()];
  const paths = sent.map(pathOf).join('/');
  const queries = sent.map(queryOf).filter((text) => text !== '');
  const inPaths = createNearText(paths);
  const near =
    queries.length === 0 ? inPaths : createNearText(`${paths}/${queries.map(nearQuery).join('/')}`);
  return {
    entries: table.entries.filter(
      (entry) =>
        (entry.pattern.needle === null || near.mayHold(entry.pattern.needle)) &&
        fit.likelyCondition(entry) !== null,
    ),
    isOwn: inPaths.mayHold(OWN_NEEDLE),
  };
}

/** The routes that some variant of the target, or of what stands for it, fits. Throws over budget. */
export function findVariants(
  table: RouteTable,
  { target, fields, query, budget }: SearchedHead,
  { entries, isOwn }: Nearby,
): FoundRoutes | 'own' {
  const sent = new Map([[target, THE_TARGET], ...fields.targets]);
  const variants = createPathVariants([...fields.prefixes], budget);
  for (const [text, source] of sent) variants.add(pathOf(text), source);
  if (isOwn && variants.paths.some(({ path }) => isOwnPath(path))) return 'own';
  if (query !== '' || fields.targets.size > 0) {
    const folders = new Set(variants.paths.flatMap(({ path }) => frontFolder(path) ?? []));
    for (const text of folders.size > 0 ? sent.keys() : [])
      for (const path of pathsInQuery(queryOf(text), folders, budget)) variants.add(path, THE_QUERY);
  }
  const near = new Set(entries);
  const hits = new Map<CompiledRoute, PathHit & { readonly source: string }>();
  let hazard: string | null = null;
  for (const { path, source } of variants.paths) {
    for (const hit of table.find(path, budget)) {
      if (!near.has(hit.entry)) continue;
      if (!hits.has(hit.entry)) hits.set(hit.entry, { ...hit, source });
      hazard ??= variants.hazardOf(source);
    }
  }
  return { hits, hazard };
}

function isOwnPath(path: string): boolean {
  return path === OWN_PREFIX || path.startsWith(`${OWN_PREFIX}/`);
}
