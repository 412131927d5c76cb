import type { RouteConfig } from '../../config/config.ts';
import { ProblemError } from '../../http/problem.ts';
import { createWorkBudget, type WorkBudget } from '../work-budget.ts';
import {
  type FittedHead,
  type FoundRoutes,
  findNearby,
  findPlain,
  findVariants,
  type Nearby,
  OWN_NEEDLE,
  RouteFit,
  type SearchedHead,
  THE_QUERY,
  THE_TARGET,
} from './find-routes.ts';
import { readHeadFields } from './head-fields.ts';
import { createNearText } from './near-text.ts';
import { isPlainPath, pathOf, queryOf } from './path-variants.ts';
import { frontFolder, mayNameMethod } from './query-paths.ts';
import { createRouteTable, type RouteCandidate } from './route-table.ts';

/** What the matcher looks at of a request: nothing that needs its body. */
export interface RequestHead {
  /** As sent; Node accepts upper case only. */
  readonly method: string;
  /** The request target as it came. */
  readonly target: string;
  /** Names and values in turn, as they came (Node's `rawHeaders`). */
  readonly rawHeaders: readonly string[];
}

export type RouteMatch =
  | { readonly kind: 'pass' }
  /** A path of our own, `/.gatekeeper/…`: answered here, never forwarded. */
  | { readonly kind: 'own' }
  | {
      readonly kind: 'refuse';
      readonly why: string;
      readonly candidates: readonly RouteCandidate[];
      readonly budget: WorkBudget;
    }
  | {
      readonly kind: 'gated';
      /** In configured order; the first whose conditions hold is the route. */
      readonly candidates: readonly RouteCandidate[];
      /** What is left of it is for reading the body. */
      readonly budget: WorkBudget;
    };

/** What is read and judged, or refused. */
export type MatchedRoutes = Extract<RouteMatch, { readonly budget: WorkBudget }>;

export interface RouteMatcher {
  match(request: RequestHead): RouteMatch;
}

/**
 * What reading a head may cost: about 2 ms of a core, so that one of half the speed stays under 5. Odd paths of honest
 * requests use less than a tenth of it.
 */
const HEAD_BUDGET = 2_000_000;

const PASS: RouteMatch = { kind: 'pass' };
const OWN: RouteMatch = { kind: 'own' };

function createSearchedHead(head: Omit<FittedHead, 'budget'>): SearchedHead {
  const { method, target, rawHeaders, fields, query } = head;
  const budget = createWorkBudget(HEAD_BUDGET);
  const fit = new RouteFit({ method, target, rawHeaders, fields, query, budget });
  return { method, target, rawHeaders, fields, query, budget, fit };
}

/** Compiles the routes once; a request that is no client's signup costs one look-up. */
export function compileRoutes(routes: readonly RouteConfig[]): RouteMatcher {
  const table = createRouteTable(routes);

  function match({ method, target, rawHeaders }: RequestHead): RouteMatch {
    const fields = readHeadFields(rawHeaders);
    const query = queryOf(target);
    const canSignUp =
      method === 'POST' ||
      table.methods.has(method) ||
      fields.bodyBytes > 0 ||
      fields.methods.size > 0 ||
      mayNameMethod(query);
    if (!canSignUp && fields.targets.size === 0 && !mayBeOwn(target)) return PASS;
    const path = pathOf(target);
    const isPlain =
      fields.targets.size + fields.prefixes.size === 0 &&
      isPlainPath(path) &&
      (query === '' || frontFolder(path) === null);
    if (!isPlain) return matchVariants(createSearchedHead({ method, target, rawHeaders, fields, query }));
    const found = findPlain(table, path);
    // Nearly every request ends here, before anything is set up for it.
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
      // Anything else is a fault of ours.
      if (!(error instanceof ProblemError)) throw error;
      return refuseWork(head, nearby ?? findNearby(table, head));
    }
  }

  function conclude({ fit, budget }: SearchedHead, { hits, hazard }: FoundRoutes): RouteMatch {
    if (hits.size === 0) return PASS;
    const candidates = table.entries.flatMap((entry): RouteCandidate[] => {
      const hit = hits.get(entry);
      const condition = hit === undefined ? null : fit.bodyCondition(entry);
      if (hit === undefined || condition === null || !fit.fulfilsQuery(entry)) return [];
      const { reading, source } = hit;
      // `/?s=signup` is a path to few, and a search to many.
      const bodyCondition = source === THE_QUERY && condition === 'none' ? 'email field' : condition;
      return [{ route: entry.route, reading, source, bodyCondition }];
    });
    if (candidates.length === 0) return PASS;
    return hazard === null
      ? { kind: 'gated', candidates, budget }
      : { kind: 'refuse', why: hazard, candidates, budget };
  }
  return { match };
}

/** What is near a route is not passed on unread. What could only be a path of our own is nothing to the app. */
function refuseWork({ target, fit, budget }: SearchedHead, nearby: Nearby): RouteMatch {
  const candidates = nearby.entries.map((entry) => ({
    route: entry.route,
    reading: pathOf(target),
    source: THE_TARGET,
    bodyCondition: fit.likelyCondition(entry) ?? 'none',
  }));
  if (candidates.length === 0) return PASS;
  return { kind: 'refuse', why: 'it can be read in too many ways', candidates, budget };
}

/**
 * A cheap first look that says no to nearly every request; a maybe is read in full. Our prefix needs a dot, plain or in
 * one of the spellings that become one, and either the word or letters that are spelled otherwise.
 */
function mayBeOwn(target: string): boolean {
  if (!/\.|%(?:2[5e]|u|c0|e2|ef)|[^\x21-\x7e]/i.test(target)) return false;
  if (/gatekeeper/i.test(target)) return true;
  if (!/%(?:25|(?!2[0-9a-f]|3[0-9a-f]))|[^\x21-\x7e]/i.test(target)) return false;
  return createNearText(pathOf(target)).mayHold(OWN_NEEDLE);
}
