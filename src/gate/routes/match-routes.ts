import type { RouteConfig } from '../../config/config.ts';
import { ProblemError } from '../../http/problem.ts';
import { createWorkBudget, type WorkBudget } from '../budgets.ts';
import {
  type FittedHead,
  type FoundRoutes,
  findNearby,
  findPlain,
  findVariants,
  isDoubtful,
  mayHaveLatePaths,
  type Nearby,
  OWN_NEEDLE,
  RouteFit,
  type SearchedHead,
  THE_TARGET,
} from './find-routes.ts';
import { frontFolder } from './front-controllers.ts';
import { readHeadFields } from './head-fields.ts';
import { createNearText } from './near-text.ts';
import { isPlainPath, pathOf, queryOf } from './path-variants.ts';
import { mayNameMethod } from './query-paths.ts';
import { createRouteTable, type RouteCandidate } from './route-table.ts';

/** The parts of a request that the matcher reads. The body is not needed. */
export interface RequestHead {
  /** The method as sent; Node accepts only upper case. */
  readonly method: string;
  /** The request target as it arrived. */
  readonly target: string;
  /** The header fields as they arrived: name, value, name, value, … (Node's `rawHeaders`). */
  readonly rawHeaders: readonly string[];
}

export type RouteMatch =
  | { readonly kind: 'pass' }
  /** A path of Gatekeeper, `/.gatekeeper/…`: the gate answers it and never forwards it. */
  | { readonly kind: 'own' }
  | {
      readonly kind: 'refuse';
      readonly why: string;
      readonly candidates: readonly RouteCandidate[];
      readonly budget: WorkBudget;
    }
  | {
      readonly kind: 'gated';
      /** The candidates in configured order. The first candidate whose conditions are true is the route. */
      readonly candidates: readonly RouteCandidate[];
      /** The rest of the work budget, for reading the body. */
      readonly budget: WorkBudget;
    };

/** A match that is read and judged, or refused. */
export type MatchedRoutes = Extract<RouteMatch, { readonly budget: WorkBudget }>;

export interface RouteMatcher {
  match(request: RequestHead): RouteMatch;
}

/**
 * The work for reading a head: about 2 ms of one core, so that a core of half the speed needs less than 5 ms. Unusual
 * paths of honest requests use less than a tenth of it.
 */
const HEAD_BUDGET = 2_000_000;

export const CHECK_PATH = '/.gatekeeper/check';

/** Only a proxy uses this path, always in this spelling. Another spelling is an ordinary path of Gatekeeper. */
export function isCheck(target: string): boolean {
  const { length } = CHECK_PATH;
  return target.startsWith(CHECK_PATH) && (target.length === length || target[length] === '/');
}

/** A query with a GraphQL document. */
const DOCUMENT = /\{|%7b/i;

const PASS: RouteMatch = { kind: 'pass' };
const OWN: RouteMatch = { kind: 'own' };

function createSearchedHead(head: Omit<FittedHead, 'budget'>): SearchedHead {
  const { method, target, rawHeaders, fields, query } = head;
  const budget = createWorkBudget(HEAD_BUDGET);
  const fit = new RouteFit({ method, target, rawHeaders, fields, query, budget });
  return { method, target, rawHeaders, fields, query, budget, fit };
}

/** Compiles the routes once. A request that cannot be a signup costs one look-up. */
export function compileRoutes(routes: readonly RouteConfig[]): RouteMatcher {
  const table = createRouteTable(routes);

  function match({ method, target, rawHeaders }: RequestHead): RouteMatch {
    const fields = readHeadFields(rawHeaders);
    const query = queryOf(target);
    const canSignUp =
      method === 'POST' ||
      table.methods.has(method) ||
      fields.hasBody ||
      fields.methods.size > 0 ||
      (table.hasGraphql && DOCUMENT.test(query)) ||
      mayNameMethod(query);
    if (!canSignUp && fields.targets.size === 0 && !mayBeOwn(target)) return PASS;
    const path = pathOf(target);
    const isPlain =
      fields.targets.size + fields.prefixes.size === 0 &&
      isPlainPath(path) &&
      !mayHaveLatePaths(target, fields.host) &&
      (query === '' || frontFolder(path) === null);
    if (!isPlain) return matchVariants(createSearchedHead({ method, target, rawHeaders, fields, query }));
    const found = findPlain(table, path);
    // Nearly every request returns here, before any allocation.
    if (found === null) return PASS;
    const head = createSearchedHead({ method, target, rawHeaders, fields, query });
    return withinBudget(head, null, () => conclude(head, found));
  }

  function matchVariants(head: SearchedHead): RouteMatch {
    const nearby = findNearby(table, head);
    if (nearby.entries.length === 0 && !nearby.isOwn) return PASS;
    return withinBudget(head, nearby, () => {
      const found = findVariants(table, head, nearby);
      return found === 'own' ? OWN : conclude(head, found);
    });
  }

  function withinBudget(head: SearchedHead, nearby: Nearby | null, work: () => RouteMatch): RouteMatch {
    try {
      return work();
    } catch (error) {
      // Any other error is a bug.
      if (!(error instanceof ProblemError)) throw error;
      return refuseWork(head, nearby ?? findNearby(table, head));
    }
  }

  function conclude({ fit, budget }: SearchedHead, { hits, hazard }: FoundRoutes): RouteMatch {
    if (hits.size === 0) return PASS;
    const candidates: RouteCandidate[] = [];
    for (const entry of table.entries) {
      const hit = hits.get(entry);
      if (hit === undefined) continue;
      const condition = fit.bodyCondition(entry);
      if (condition === null || !fit.fulfilsQuery(entry)) continue;
      const { pathVariant, source } = hit;
      // Few servers read `/?s=signup` as a path; many read it as a search.
      const bodyCondition = isDoubtful(source) && condition === 'none' ? 'email field' : condition;
      candidates.push({ route: entry.route, pathVariant, source, bodyCondition });
    }
    if (candidates.length === 0) return PASS;
    const isJudged = candidates.some(({ bodyCondition }) => bodyCondition !== 'stored document');
    return hazard === null || !isJudged
      ? { kind: 'gated', candidates, budget }
      : { kind: 'refuse', why: hazard, candidates, budget };
  }
  return { match };
}

/**
 * A target that is close to a route is never forwarded without a check. A target that is only close to Gatekeeper's own
 * paths may pass: the app does not have such a path.
 */
function refuseWork({ target, fit, budget }: SearchedHead, nearby: Nearby): RouteMatch {
  const candidates = nearby.entries.map((entry) => ({
    route: entry.route,
    pathVariant: pathOf(target),
    source: THE_TARGET,
    bodyCondition: fit.likelyCondition(entry) ?? 'none',
  }));
  if (candidates.length === 0) return PASS;
  return { kind: 'refuse', why: 'it can be read in too many ways', candidates, budget };
}

/**
 * A cheap test that excludes nearly every request; the others are read in full. Gatekeeper's prefix needs a dot, plain
 * or in a spelling that becomes one, and the word itself or escaped letters.
 */
function mayBeOwn(target: string): boolean {
  if (!/\.|%(?:2[5e]|u|c0|e2|ef)|[^\x21-\x7e]/i.test(target)) return false;
  if (/gatekeeper/i.test(target)) return true;
  if (!/%(?:25|(?!2[0-9a-f]|3[0-9a-f]))|[^\x21-\x7e]/i.test(target)) return false;
  return createNearText(pathOf(target)).mayHold(OWN_NEEDLE);
}
