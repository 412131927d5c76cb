import { ProblemError } from '../../http/problem.ts';
import type { WorkBudget } from '../budgets.ts';
import { holdsInHead, type QueryPairs, readQuery } from '../signup-body/conditions.ts';
import { isFormOrJson } from '../signup-body/content-type.ts';
import { frontFolder } from './front-controllers.ts';
import type { HeadFields } from './head-fields.ts';
import { latePaths, USUAL_LENGTH } from './late-paths.ts';
import { createNearText } from './near-text.ts';
import { createPathVariants, isAscii, isFoldable, pathOf, queryOf } from './path-variants.ts';
import { methodsInQuery, nearQuery, pathsInQuery, pathsInRewritten } from './query-paths.ts';
import type { BodyCondition, CompiledRoute, PathHit, RouteTable } from './route-table.ts';

/** The head of a request, with the other inputs for the route search. */
export interface SearchedHead extends FittedHead {
  readonly fit: RouteFit;
}

export interface FoundRoutes {
  /** Each route with the first path that matched and the source of that path. */
  readonly hits: ReadonlyMap<CompiledRoute, PathHit & { readonly source: string }>;
  /** The reason why a matching path is hazardous; null when it is not. */
  readonly hazard: string | null;
}

/** The possible results for a target, found without making its variants. */
export interface Nearby {
  readonly entries: readonly CompiledRoute[];
  /** The target may be a path of Gatekeeper. */
  readonly isOwn: boolean;
}

export const THE_TARGET = 'the target';
const THE_QUERY = 'the query';
const THE_REST = 'the rest behind a short host';

const OWN_PREFIX = '/.gatekeeper';
/** Every spelling of Gatekeeper's own paths contains this word. */
export const OWN_NEEDLE = 'gatekeeper';

/** Most servers read no path there. Such a match counts only when the request has the email, too. */
export function isDoubtful(source: string): boolean {
  return source === THE_QUERY || source === THE_REST;
}

/** Whether a path may stand behind a short host: one of the header or, in an absolute target, of the target. */
export function mayHaveLatePaths(target: string, host: string): boolean {
  return !target.startsWith('/') || (host !== '' && host.length < USUAL_LENGTH);
}

/** The routes that match the unchanged path; null when no route matches. */
export function findPlain(table: RouteTable, path: string): FoundRoutes | null {
  const found = table.find(path, UNCOUNTED);
  if (found.length === 0) return null;
  const hits = new Map<CompiledRoute, PathHit & { readonly source: string }>();
  // The fields are listed one by one: a spread takes half of the time of this function.
  for (const { entry, pathVariant } of found) hits.set(entry, { entry, pathVariant, source: THE_TARGET });
  return { hits, hazard: null };
}

/** A plain path has only a few aliases and takes linear time. */
const UNCOUNTED: WorkBudget = { spend: () => {}, grow: () => {} };

/** The routes that a request may match by path, method and header fields. Takes linear time and no budget. */
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

/**
 * The routes that match some variant of the target or of a header that overrides it. Throws when the budget is used up.
 */
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
  if (mayHaveLatePaths(target, fields.host))
    for (const path of latePaths(target, fields.host)) variants.add(path, THE_REST);
  for (const { path } of variants.paths)
    for (const other of pathsInRewritten(path, budget)) variants.add(other, THE_QUERY);
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

/** Comparing the name of one query pair with one condition, in units of the budget. */
const COST_PER_PAIR = 2_000;
const COST_PER_CHARACTER = 50;
/** The cost of a character outside ASCII, which may become 18 characters. */
const COST_OF_FOLDING = 300;

/** All parts of a head except its path, used to decide whether the request may match a route. */
export class RouteFit {
  readonly #head: FittedHead;
  #methodsInQuery: ReadonlySet<string> | null = null;

  constructor(head: FittedHead) {
    this.#head = head;
  }

  /**
   * The condition on the body; null when the method or a header excludes the route. Throws when the budget is used up.
   */
  bodyCondition(entry: CompiledRoute): BodyCondition | null {
    if (entry.looksAt.header && !this.#fulfils(entry, 'header', [])) return null;
    return conditionFor(entry, this);
  }

  /** Like `bodyCondition`, but returns `none` when the budget is used up. */
  likelyCondition(entry: CompiledRoute): BodyCondition | null {
    try {
      return this.bodyCondition(entry);
    } catch (error) {
      if (error instanceof ProblemError) return 'none';
      throw error;
    }
  }

  /** Whether the conditions on the query hold. Throws when the budget is used up. */
  fulfilsQuery(entry: CompiledRoute): boolean {
    if (!entry.looksAt.query) return true;
    const { query, target, budget } = this.#head;
    budget.spend(query.length * COST_PER_CHARACTER);
    const pairs = readQuery(target);
    budget.spend(pairs.length * COST_PER_PAIR);
    for (const text of pairs.flat()) {
      if (isAscii(text)) continue;
      // Folding takes too long for a text with very many combining marks. No honest client sends such a text, so it
      // counts as a used-up budget.
      budget.spend(isFoldable(text) ? text.length * COST_OF_FOLDING : Number.POSITIVE_INFINITY);
    }
    return this.#fulfils(entry, 'query', pairs);
  }

  get method(): string {
    return this.#head.method;
  }

  queryHolds(word: RegExp): boolean {
    const { query, budget } = this.#head;
    budget.spend(query.length * COST_PER_CHARACTER);
    return word.test(query);
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
  /** The methods in upper case. They are read only when no header field names a matching method. */
  readonly methodsInQuery: ReadonlySet<string>;
  readonly fields: HeadFields;
  queryHolds(word: RegExp): boolean;
}

/** Null when no body can make the request match the route. */
function conditionFor(
  { route, methods, operation }: CompiledRoute,
  request: MethodsOfRequest,
): BodyCondition | null {
  const { method, fields } = request;
  if (methods.has(method)) return 'none';
  for (const name of fields.methods) if (methods.has(name)) return 'none';
  for (const name of request.methodsInQuery) if (methods.has(name)) return 'none';
  if (method !== 'POST' && !fields.hasBody)
    return operation !== null && request.queryHolds(operation) ? 'stored document' : null;
  // Some readers parse JSON under any type (Go's decoder, PHP's input).
  if (route.methods === null) return 'email field';
  // Frameworks read `_method` only from a form or JSON; other uploads need not be held.
  return isFormOrJson(fields.contentTypes) ? 'method field' : null;
}
