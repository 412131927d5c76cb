import type { RouteConfig } from '../../config/config.ts';
import { compilePath, type PathPattern } from './path-pattern.ts';
import { readPath } from './readings.ts';

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

/** Headers from which some framework or front server takes the method. */
const METHOD_OVERRIDES = new Set(['x-http-method-override', 'x-http-method', 'x-method-override']);

/** Headers from which some framework or front server takes the path: they are read as one more target. */
const TARGET_OVERRIDES = new Set([
  'x-original-url',
  'x-original-uri',
  'x-rewrite-url',
  'x-forwarded-uri',
  'x-forwarded-path',
  'x-override-url',
]);

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
    methods: new Set(route.methods),
  }));
  const literals = new Set(compiled.flatMap(({ pattern }) => pattern.literal ?? []));
  const patterns = compiled.filter(({ pattern }) => pattern.literal === null);

  const canMatch = (path: string) => literals.has(path) || patterns.some((r) => r.pattern.matches(path));

  const methods = new Set(routes.flatMap((route) => route.methods));
  const canSignUp = (method: string, target: string, overrides: Overrides | null) =>
    methods.has(method) || method === 'POST' || overrides !== null || queryMethods(target).length > 0;

  function match({ method, target, rawHeaders }: RequestHead): RouteMatch {
    const overrides = readOverrides(rawHeaders);
    if (!canSignUp(method, target, overrides) && !mayBeOwn(target)) return PASS;
    const sources = [{ source: 'the target', target }, ...(overrides?.targets ?? [])];
    const found = new Map<CompiledRoute, RouteCandidate>();
    let hazard: string | null = null;
    for (const { source, target } of sources) {
      const readings = readPath(target);
      for (const path of readings.paths) {
        if (path === OWN_PREFIX || path.startsWith(`${OWN_PREFIX}/`)) return OWN;
        for (const alias of aliasesOf(path)) {
          if (!canMatch(alias)) continue;
          hazard ??= readings.hazard;
          for (const entry of compiled) {
            if (found.get(entry)?.needsMethodField === false || !entry.pattern.matches(alias)) continue;
            const fit = fitMethod(entry, method, { target, overrides });
            if (fit === 'none') continue;
            found.set(entry, {
              route: entry.route,
              reading: alias,
              source,
              needsMethodField: fit === 'with method field',
            });
          }
        }
      }
    }
    if (found.size === 0) return PASS;
    const candidates = compiled.flatMap((entry) => found.get(entry) ?? []);
    return hazard === null ? { kind: 'gated', candidates } : { kind: 'refuse', why: hazard, candidates };
  }

  return { match };
}

/** A cheap first look that says no to nearly every request; a maybe is read in full. */
function mayBeOwn(target: string): boolean {
  return /gatekeeper/i.test(target) || /%(?!2[0-9a-f]|3[0-9a-f])|[^\x21-\x7e]/i.test(target);
}

interface Overrides {
  readonly methods: readonly string[];
  readonly targets: readonly { readonly source: string; readonly target: string }[];
}

/** Null when there is none, as on nearly every request. Names with underscores count: CGI reads both alike. */
function readOverrides(rawHeaders: readonly string[]): Overrides | null {
  let methods: string[] | null = null;
  let targets: { source: string; target: string }[] | null = null;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const sent = rawHeaders[i] ?? '';
    if (sent.length < 13 || (sent.charCodeAt(0) | 0x20) !== 0x78) continue;
    const name = sent.toLowerCase().replaceAll('_', '-');
    const value = (rawHeaders[i + 1] ?? '').trim();
    if (METHOD_OVERRIDES.has(name)) {
      methods ??= [];
      methods.push(...value.split(',').map((method) => method.trim().toUpperCase()));
    } else if (TARGET_OVERRIDES.has(name)) {
      targets ??= [];
      targets.push({ source: name, target: value });
    }
  }
  return methods || targets ? { methods: methods ?? [], targets: targets ?? [] } : null;
}

/**
 * Whether a request of this method can reach a route of those. HEAD and OPTIONS never sign anybody up. An override in a
 * header or in the query makes a request of any other method one of the named; one in the body is known only when
 * the body is read, and frameworks look for it in POST alone (Rails, Laravel, Symfony, method-override).
 */
function fitMethod(
  { methods }: CompiledRoute,
  method: string,
  { target, overrides }: { target: string; overrides: Overrides | null },
): 'yes' | 'with method field' | 'none' {
  if (methods.has(method)) return 'yes';
  if (overrides?.methods.some((override) => methods.has(override))) return 'yes';
  if (queryMethods(target).some((override) => methods.has(override))) return 'yes';
  if (method === 'HEAD' || method === 'OPTIONS') return 'none';
  return method === 'POST' ? 'with method field' : 'none';
}

function queryMethods(target: string): string[] {
  const at = target.indexOf('?');
  if (at === -1 || !/method/i.test(target.slice(at).replace(/%[0-9a-f]{2}/gi, unescapeOne))) return [];
  return [...new URLSearchParams(target.slice(at + 1))]
    .filter(([name]) => /^_?method(?:\[\])?$/i.test(name.trim()))
    .map(([, value]) => value.trim().toUpperCase());
}

function unescapeOne(escaped: string): string {
  return String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
}

/** A trailing format (`/signup.json`: Rails, PHP with MultiViews) and a leading front controller (`/index.php/signup`). */
function aliasesOf(path: string): readonly string[] {
  if (!path.includes('.')) return [path];
  const aliases = [path];
  const withoutFormat = path.replace(/(?<=[^/])\.[a-z0-9]{1,10}$/, '');
  if (withoutFormat !== path) aliases.push(withoutFormat);
  for (const alias of [...aliases]) {
    const behindScript = alias.replace(/^\/(?:[^/]+\/)*?[^/]+\.(?:php\d?|phtml|cgi|fcgi|pl|py)(?=\/)/, '');
    if (behindScript !== alias) aliases.push(behindScript);
  }
  return aliases;
}
