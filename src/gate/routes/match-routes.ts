import type { RouteConfig } from '../../config/config.ts';
import { type Overrides, queryMethods, readOverrides } from './overrides.ts';
import { aliasesOf, compilePath, type PathPattern } from './path-pattern.ts';
import { foldPath, type Readings, readPath } from './readings.ts';

/** What the matcher looks at of a request: nothing that needs its body. */
export interface RequestHead {
  /** As sent; Node accepts upper case only. */
  readonly method: string;
  /** The request target as it came. */
  readonly target: string;
  /** Names and values in turn, as they came (Node's `rawHeaders`). */
  readonly rawHeaders: readonly string[];
}

/** A route whose method and path fit; its `when:` conditions are left to whoever has read the body. */
export interface RouteCandidate {
  readonly route: RouteConfig;
  /** The reading of the path that matched, and where it stood: `the target`, or a header's name. */
  readonly reading: string;
  readonly source: string;
  /** True when it counts only if the body names the route's method in a `_method` field. */
  readonly needsMethodField: boolean;
}

export type RouteMatch =
  | { readonly kind: 'pass' }
  /** A path of our own, `/.gatekeeper/…`: answered here, never forwarded. */
  | { readonly kind: 'own' }
  | { readonly kind: 'refuse'; readonly why: string; readonly candidates: readonly RouteCandidate[] }
  /** In configured order; the first whose conditions hold is the route. */
  | { readonly kind: 'gated'; readonly candidates: readonly RouteCandidate[] };

export interface RouteMatcher {
  match(request: RequestHead): RouteMatch;
}

const OWN_PREFIX = '/.gatekeeper';

const POST_ALONE: readonly string[] = ['POST'];

const PASS: RouteMatch = { kind: 'pass' };
const OWN: RouteMatch = { kind: 'own' };

interface CompiledRoute {
  readonly route: RouteConfig;
  readonly pattern: PathPattern;
  readonly methods: ReadonlySet<string>;
}

/** Compiles the routes once; a request that is nobody's signup costs one look-up. */
export function compileRoutes(routes: readonly RouteConfig[]): RouteMatcher {
  const compiled: readonly CompiledRoute[] = routes.map((route) => ({
    route,
    pattern: compilePath(route.path),
    methods: new Set(route.methods ?? POST_ALONE),
  }));
  const literals = new Set(compiled.flatMap(({ pattern }) => pattern.literal ?? []));
  const patterns = compiled.filter(({ pattern }) => pattern.literal === null);
  const methods = new Set(routes.flatMap((route) => route.methods ?? POST_ALONE));

  function match(request: RequestHead): RouteMatch {
    const { method, target } = request;
    const overrides = readOverrides(target, request.rawHeaders);
    const canSignUp =
      methods.has(method) || method === 'POST' || overrides !== null || queryMethods(target).length > 0;
    if (!canSignUp && !mayBeOwn(target)) return PASS;
    const found = new Map<CompiledRoute, RouteCandidate>();
    const hazards: string[] = [];
    for (const { source, target: path } of [
      { source: 'the target', target },
      ...(overrides?.targets ?? []),
    ]) {
      const readings = readPath(path);
      if (readings.paths.some(isOwn)) return OWN;
      for (const { entry, reading } of entriesOf(readings)) {
        if (found.get(entry)?.needsMethodField === false) continue;
        const fit = fitMethod(entry, request, overrides);
        if (fit === 'none') continue;
        found.set(entry, {
          route: entry.route,
          reading,
          source,
          needsMethodField: fit === 'with method field',
        });
        if (readings.hazard !== null) hazards.push(readings.hazard);
      }
    }
    if (found.size === 0) return PASS;
    const candidates = compiled.flatMap((entry) => found.get(entry) ?? []);
    const [why] = hazards;
    return why === undefined ? { kind: 'gated', candidates } : { kind: 'refuse', why, candidates };
  }

  function* entriesOf({ paths, complete }: Readings): Generator<{ entry: CompiledRoute; reading: string }> {
    for (const path of paths) {
      for (const alias of aliasesOf(path)) {
        const isAlias = alias !== path;
        const isAny = literals.has(alias) || patterns.some(({ pattern }) => pattern.matches(alias, isAlias));
        if (!isAny) continue;
        for (const entry of compiled) {
          if (entry.pattern.matches(alias, isAlias)) yield { entry, reading: alias };
        }
      }
    }
    // What was given up on may hold any route.
    if (!complete) for (const entry of compiled) yield { entry, reading: paths[0] ?? '/' };
  }

  return { match };
}

function isOwn(path: string): boolean {
  return path === OWN_PREFIX || path.startsWith(`${OWN_PREFIX}/`);
}

/**
 * A cheap first look that says no to nearly every request; a maybe is read in full. Our prefix needs a dot, plain or in
 * one of the spellings that become one, and either the word or letters that are spelled otherwise.
 */
function mayBeOwn(target: string): boolean {
  if (!/\.|%(?:2[5e]|u|c0|e2|ef)|[^\x21-\x7e]/i.test(target)) return false;
  if (/gatekeeper/i.test(target)) return true;
  if (!/%(?:25|(?!2[0-9a-f]|3[0-9a-f]))|[^\x21-\x7e]/i.test(target)) return false;
  try {
    // Names in other scripts decode to plain text at once: 2 µs where a full reading takes 30.
    const text = decodeURIComponent(target);
    return /[%\p{Cc}]/u.test(text) || foldPath(text).includes('gatekeeper');
  } catch {
    // Not UTF-8: readers differ in what they drop of it.
    return true;
  }
}

/**
 * Whether a request of this method can reach a route of those. HEAD and OPTIONS never sign anybody up. An override in a
 * header or in the query makes a request of any other method one of the named; one in the body is known only when
 * the body is read, and frameworks look for it in POST alone (Rails, Symfony, method-override; Laravel in JSON too).
 */
function fitMethod(
  { methods }: CompiledRoute,
  { method, target, rawHeaders }: RequestHead,
  overrides: Overrides | null,
): 'yes' | 'with method field' | 'none' {
  if (methods.has(method)) return 'yes';
  if (overrides?.methods.some((override) => methods.has(override))) return 'yes';
  if (queryMethods(target).some((override) => methods.has(override))) return 'yes';
  return method === 'POST' && mayHaveFields(rawHeaders) ? 'with method field' : 'none';
}

/**
 * Whether a framework may look for fields in the body; uploads of anything else need not be held. Rack reads every
 * multipart, and takes what has no type for a form.
 */
function mayHaveFields(rawHeaders: readonly string[]): boolean {
  const types = rawHeaders.filter(
    (_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === 'content-type',
  );
  return types.length === 0 || types.some((type) => /^\s*(?:[;,]|$)|form|json|multipart/i.test(type));
}
