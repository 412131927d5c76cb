import type { RouteConfig } from '../../config/config.ts';
import { ProblemError } from '../../http/problem.ts';
import { holdsInHead, type QueryPairs, readQuery } from '../signup-body/conditions.ts';
import type { WorkBudget } from '../work-budget.ts';
import type { HeadFields } from './head-fields.ts';
import { createNearText } from './near-text.ts';
import { createPathVariants, isAscii, isFoldable, pathOf, queryOf } from './path-variants.ts';
import { frontFolder, methodsInQuery, nearQuery, pathsInQuery } from './query-paths.ts';
import type { BodyCondition, CompiledRoute, PathHit, RouteTable } from './route-table.ts';

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

export interface FittedHead {
  readonly method: string;
  readonly target: string;
  readonly rawHeaders: readonly string[];
  readonly fields: HeadFields;
  readonly query: string;
  readonly budget: WorkBudget;
}

/** Comparing the name of one pair with one condition, in units of the budget. */
const COST_PER_PAIR = 2_000;
const COST_PER_CHARACTER = 50;
/** A character beyond ASCII, which may become 18. */
const COST_OF_FOLDING = 300;

/** Everything but the path by which the head of a request decides whether it may be one of a route. */
export class RouteFit {
  readonly #head: FittedHead;
  #methodsInQuery: ReadonlySet<string> | null = null;

  constructor(head: FittedHead) {
    this.#head = head;
  }

  /** What the body has to hold; null where the method or a header rules the route out. Throws over budget. */
  bodyCondition(entry: CompiledRoute): BodyCondition | null {
    if (entry.looksAt.header && !this.#fulfils(entry, 'header', [])) return null;
    return conditionFor(entry.route, entry.methods, this);
  }

  /** The same, and where the budget does not last to say, `none`. */
  likelyCondition(entry: CompiledRoute): BodyCondition | null {
    try {
      return this.bodyCondition(entry);
    } catch (error) {
      if (error instanceof ProblemError) return 'none';
      throw error;
    }
  }

  /** Whether the conditions on the query hold. Throws over budget. */
  fulfilsQuery(entry: CompiledRoute): boolean {
    if (!entry.looksAt.query) return true;
    const { query, target, budget } = this.#head;
    budget.spend(query.length * COST_PER_CHARACTER);
    const pairs = readQuery(target);
    budget.spend(pairs.length * COST_PER_PAIR);
    for (const text of pairs.flat()) {
      if (isAscii(text)) continue;
      // Names and values are folded, which takes too long for what nobody writes.
      budget.spend(isFoldable(text) ? text.length * COST_OF_FOLDING : Number.POSITIVE_INFINITY);
    }
    return this.#fulfils(entry, 'query', pairs);
  }

  get method(): string {
    return this.#head.method;
  }

  get fields(): HeadFields {
    return this.#head.fields;
  }

  get methodsInQuery(): ReadonlySet<string> {
    this.#methodsInQuery ??= methodsInQuery(this.#head.query, this.#head.budget);
    return this.#methodsInQuery;
  }

  #fulfils({ route }: CompiledRoute, place: 'header' | 'query', query: QueryPairs): boolean {
    const { rawHeaders, budget } = this.#head;
    return Object.entries(route.when).every(
      ([name, value]) =>
        !name.toLowerCase().startsWith(`${place}:`) ||
        holdsInHead(name, value, { query, rawHeaders, budget }) === 'yes',
    );
  }
}

interface MethodsOfRequest {
  readonly method: string;
  /** In upper case; read only where the header fields name none that fits. */
  readonly methodsInQuery: ReadonlySet<string>;
  readonly fields: HeadFields;
}

/** Null where no body makes the request one of the route. */
function conditionFor(
  route: RouteConfig,
  methods: ReadonlySet<string>,
  request: MethodsOfRequest,
): BodyCondition | null {
  const { method, fields } = request;
  if (methods.has(method)) return 'none';
  for (const name of fields.methods) if (methods.has(name)) return 'none';
  for (const name of request.methodsInQuery) if (methods.has(name)) return 'none';
  if (method !== 'POST' && fields.bodyBytes === 0) return null;
  const isForm = mayHaveFields(fields.contentTypes);
  if (route.methods !== null) return isForm ? 'method field' : null;
  // Some read JSON whatever its type says (Go's decoder, PHP's input), but no signup is an upload of that size.
  return isForm || fields.bodyBytes <= route.max_body || fields.bodyBytes === Number.POSITIVE_INFINITY
    ? 'email field'
    : null;
}

/**
 * Whether a framework may look for fields in the body; uploads of anything else need not be held. Rack reads every
 * multipart, and takes what has no type for a form.
 */
function mayHaveFields(contentTypes: readonly string[]): boolean {
  return (
    contentTypes.length === 0 || contentTypes.some((type) => /^\s*(?:[;,]|$)|form|json|multipart/i.test(type))
  );
}
