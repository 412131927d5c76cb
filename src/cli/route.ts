import { METHODS } from 'node:http';
import type { ConditionValue, Config, RouteConfig } from '../config/config.ts';
import { ANY_PAGE } from '../config/route-path.ts';
import { compileFormPages } from '../gate/form-visits/form-pages.ts';
import { compileRoutes } from '../gate/routes/match-routes.ts';
import { type RouteCandidate, UNNAMED_METHODS } from '../gate/routes/route-table.ts';
import { upstreamTarget } from '../gate/transport/upstream-request.ts';
import type { CommandContext, ExitCode } from './command-context.ts';

export interface RouteOptions {
  readonly config: Config;
  readonly method: string;
  /** A path or a URL. */
  readonly url: string;
}

/** The content type of a form. The body of a form can contain an email or a `_method`. */
const FORM = ['Content-Type', 'application/x-www-form-urlencoded', 'Content-Length', '1'];
/** Normal clients send these methods without a body. */
const BODILESS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * `gatekeeper route <METHOD> <URL>`: shows whether and why the gate would judge a request, with one fact on each line.
 * A fact that depends on the body is printed with its condition. An invalid method returns 1.
 */
export function route(
  { config, method: given, url }: RouteOptions,
  { write, writeError }: CommandContext,
): ExitCode {
  const method = given.toUpperCase();
  if (!METHODS.includes(method)) {
    writeError(`"${given}" is not an HTTP method. Write a method such as POST, then the URL.\n`);
    return 1;
  }
  const target = targetOf(url);
  const lines = explain(config, method, target);
  write([`${method} ${target}`, ...lines.map((line) => `  ${line}`), ''].join('\n'));
  return 0;
}

function explain({ proxy }: Config, method: string, target: string): string[] {
  if (proxy === null) return ['not received: the configuration has no proxy section, so there is no gate'];
  if (upstreamTarget(target) === null)
    return ['refused with 400: the target is neither a path nor an HTTP URL'];
  const rawHeaders = BODILESS.has(method) ? [] : FORM;
  const match = compileRoutes(proxy.routes.map(onPathAlone)).match({ method, target, rawHeaders });
  const asConfigured = ({ route, ...found }: RouteCandidate) => ({
    ...found,
    route: proxy.routes.find(({ name }) => name === route.name) ?? route,
  });
  switch (match.kind) {
    case 'own':
      return ['answered by Gatekeeper, never forwarded: paths below /.gatekeeper/ are reserved'];
    case 'pass':
      return [passing(proxy.routes, method, target), ...visited(proxy.routes, method, target)];
    case 'refuse':
      return [
        `refused with 400, not forwarded: ${match.why}, and the request resembles`,
        ...match.candidates.map((candidate) => matching(asConfigured(candidate))),
      ];
    case 'gated':
      if (match.candidates.every(({ bodyCondition }) => bodyCondition === 'stored document'))
        return [
          'passes; refused with 400 only if the query has a GraphQL document to be stored that hides the email of a signup',
        ];
      return match.candidates
        .map(asConfigured)
        .flatMap((candidate) => [
          `judged by ${matching(candidate)}`,
          ...conditions(candidate).map((condition) => `  only if ${condition}`),
          `  ${consequences(candidate.route)}`,
        ]);
  }
}

/** Conditions on header fields and on the query are printed, so they are not evaluated here. */
function onPathAlone(route: RouteConfig): RouteConfig {
  const when = Object.entries(route.when).filter(([place]) => !/^(?:header|query):/i.test(place));
  return { ...route, when: Object.fromEntries(when) };
}

function passing(routes: readonly RouteConfig[], method: string, target: string): string {
  if (routes.length === 0) return 'forwarded without a check: no routes are configured';
  const matcher = compileRoutes(routes.map(onPathAlone));
  const judged = new Set<string>();
  let isAnyJudged = false;
  for (const other of new Set(routes.flatMap((route) => route.methods ?? UNNAMED_METHODS))) {
    const match = matcher.match({ method: other, target, rawHeaders: [] });
    if (!('candidates' in match) || !match.candidates.some(({ bodyCondition }) => bodyCondition === 'none'))
      continue;
    judged.add(other);
    isAnyJudged ||= match.candidates.some(({ route }) => route.methods === null);
  }
  if (isAnyJudged)
    return `passes without a body: a route has this path and judges ${[...judged].join(' and ')}, and ${method} if the body has the email`;
  if (method === 'HEAD' || method === 'OPTIONS') return `passes: ${method} creates no account`;
  return judged.size > 0
    ? `passes: a route has this path but judges only ${[...judged].join(' and ')}`
    : 'passes: no route has this path or a variant of it';
}

/** The routes whose form is on this page. A GET request for the page counts as a visit. */
function visited(routes: readonly RouteConfig[], method: string, target: string): string[] {
  const loaded = method === 'GET' ? compileFormPages(routes)?.pagesOf(target) : undefined;
  return routes
    .filter(({ form }) => form?.some((page) => loaded?.includes(page)))
    .map(
      ({ name, form }) => `a visit of the page with the form of route "${name}" (form: ${form?.join(', ')})`,
    );
}

function matching({ route, pathVariant, source }: RouteCandidate): string {
  return `route "${route.name}" (${methodsOf(route)} ${route.path}): ${source} reads as ${pathVariant}`;
}

function conditions({ route, bodyCondition }: RouteCandidate): string[] {
  const fields = Object.entries(route.when).map(([place, value]) => conditionOf(place, value));
  // A GraphQL mutation can be in the body of a request with any method.
  if (bodyCondition === 'none' || (bodyCondition === 'email field' && 'operationName' in route.when))
    return fields;
  const override = `_method: ${(route.methods ?? UNNAMED_METHODS).join(' or ')}`;
  const email = bodyCondition === 'email field' ? `${route.email.join(' or ')}, or ` : '';
  return [`the body has ${email}${override}`, ...fields];
}

function methodsOf({ methods }: RouteConfig): string {
  return methods?.join(', ') ?? 'any method';
}

function conditionOf(place: string, value: ConditionValue): string {
  const [, where, name] = /^(header|query):(.*)$/is.exec(place) ?? [];
  const subject = where === undefined ? `the body has ${place}` : `the ${where} has ${name}`;
  return typeof value === 'object' ? subject : `${subject}: ${value}`;
}

function consequences({ email, form, mode, on_low, on_medium, on_high, verify }: RouteConfig): string {
  const act = (action: string) => (action === 'verify' ? `verify by ${verify.by}` : action);
  const actions = `low: ${act(on_low)}, medium: ${act(on_medium)}, high: ${act(on_high)}`;
  const visits = form === null ? '' : `; without a visit of ${pagesIn(form)} before: no_form_visit`;
  return `email from ${email.join(' or ')}${visits}; ${mode === 'monitor' ? `monitor mode: always forwarded (in enforce mode: ${actions})` : actions}`;
}

function pagesIn(form: readonly string[]): string {
  return form.map((page) => (page === ANY_PAGE ? 'any page' : page)).join(' or ');
}

/** The target as a client sends it: non-ASCII characters are percent-encoded. */
function targetOf(url: string): string {
  const text = url.replace(/[^\x21-\x7e]/gu, (character) =>
    Buffer.from(character).toString('hex').toUpperCase().replace(/../g, '%$&'),
  );
  return /^(?:\/|[a-z][a-z0-9+.-]*:)/i.test(text) ? text : `/${text}`;
}
