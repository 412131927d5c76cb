import { type CheckContext, checkUnique, itemsOf } from './checks.ts';
import type { CompleteDocument } from './config-schema.ts';
import { addressUrl, isLoopbackHost, isLoopbackUrl, overlaps, parseListenAddress } from './listen-address.ts';
import { parseSize } from './quantities.ts';
import { ANY_PAGE } from './route-path.ts';

type Proxy = NonNullable<CompleteDocument['proxy']>;
type Route = Proxy['routes'][number];

/** 32 hexadecimal digits are 128 bits: too many to guess. */
const MIN_HOLD_SECRET = 32;
/** The default of `proxy.client_ip_header`. */
const USUAL_ADDRESS_HEADER = 'x-forwarded-for';

/** Checks the relations between the settings of the gate. Does nothing when the gate is off. */
export function checkGate(context: CheckContext): void {
  const proxy = context.document.proxy;
  if (typeof proxy !== 'object' || proxy === null) return;
  checkUnique(context, '/proxy/routes', 'name');
  checkListener(context, proxy);
  checkTransport(context, proxy);
  const routes = itemsOf<Route>(proxy.routes);
  if (routes.length === 0 && context.isValid('/proxy/routes')) {
    context.warn('/proxy/routes', 'the gate has no route, so no signup is judged');
  }
  for (const [i, route] of routes) checkRoute(context, i, route);
  const valid = routes.filter(([i]) => context.isValid(`/proxy/routes/${i}`));
  checkPublicUrl(context, proxy, valid);
  checkMail(context, valid);
  checkHoldSecrets(context);
}

/** The same address in both means one listener for the API and the gate. */
function checkListener({ document: { api }, isValid, issue }: CheckContext, { listen }: Proxy): void {
  if (!isValid('/api/listen') || !isValid('/proxy/listen')) return;
  if (api.listen === listen || !overlaps(api.listen, listen)) return;
  issue(
    '/proxy/listen',
    `the same port as api.listen (${api.listen})`,
    'write the same address in both to serve the API there too, or give one of them another port',
  );
}

function checkTransport({ isValid, issue, warn }: CheckContext, proxy: Proxy): void {
  if (isValid('/proxy/tls') && (proxy.tls.cert === null) !== (proxy.tls.key === null)) {
    issue('/proxy/tls', 'expected both cert and key, or neither');
  }
  if (isValid('/proxy/upstream') && isValid('/proxy/listen') && isOwnAddress(proxy)) {
    issue('/proxy/upstream', 'the same as proxy.listen: the gate would forward to itself');
  }
  if (isValid('/proxy/trusted_proxies') && proxy.trusted_proxies.some((cidr) => cidr.endsWith('/0'))) {
    warn('/proxy/trusted_proxies', 'every client is trusted, so every client can claim any IP address');
  }
  const trustsNone = isValid('/proxy/trusted_proxies') && proxy.trusted_proxies.length === 0;
  if (trustsNone && isValid('/proxy/proxy_protocol') && proxy.proxy_protocol) {
    warn('/proxy/proxy_protocol', 'has no effect, because proxy.trusted_proxies is empty');
  }
  const isNamed =
    isValid('/proxy/client_ip_header') && proxy.client_ip_header.toLowerCase() !== USUAL_ADDRESS_HEADER;
  if (trustsNone && isNamed) {
    warn('/proxy/client_ip_header', 'has no effect, because proxy.trusted_proxies is empty');
  }
  if (trustsNone && isValid('/proxy/forward_auth') && proxy.forward_auth !== null) {
    issue(
      '/proxy/forward_auth',
      'only trusted proxies may ask, and proxy.trusted_proxies is empty',
      'trusted_proxies: [127.0.0.1], for a proxy on this machine',
    );
  }
}

function isOwnAddress({ listen, upstream }: Proxy): boolean {
  const own = parseListenAddress(listen);
  const { hostname, port, protocol } = new URL(upstream);
  const upstreamPort = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
  if (!own || own.port !== upstreamPort) return false;
  const host = hostname.replace(/^\[|\]$/g, '');
  if (host === own.host) return true;
  const isEveryAddress = /^(?:0\.0\.0\.0|::)$/.test(own.host);
  if (isEveryAddress || host === 'localhost')
    return isLoopbackHost(host) && (isEveryAddress || isLoopbackHost(own.host));
  return own.host === 'localhost' && isLoopbackHost(host);
}

function checkRoute({ document, isValid, issue, warn }: CheckContext, index: number, route: Route): void {
  const place = `/proxy/routes/${index}`;
  if (isValid(`${place}/verify`) && route.verify.by === 'redirect' && route.verify.url === null) {
    issue(`${place}/verify`, 'by: redirect needs url', 'say where people are sent to verify');
  }
  if (isValid(`${place}/verify`) && route.verify.by !== 'redirect' && route.verify.url !== null) {
    warn(`${place}/verify/url`, `has no effect with by: ${route.verify.by}`);
  }
  const hasLevels = isValid(`${place}/levels`) && Object.values(route.levels).some((level) => level !== null);
  if (hasLevels && isValid('/scoring/levels')) {
    const low = route.levels.low ?? document.scoring.levels.low;
    const medium = route.levels.medium ?? document.scoring.levels.medium;
    if (low <= medium) issue(`${place}/levels`, `low (${low}) must be higher than medium (${medium})`);
  }
  if (isValid(`${place}/methods`) && route.methods?.length === 0) {
    issue(`${place}/methods`, 'the list of methods is empty, so the route never matches', 'write [POST]');
  }
  // The GraphQL operation of a GET request is part of its URL.
  const isGraphql = isValid(`${place}/when`) && 'operationName' in route.when;
  if (isValid(`${place}/methods`) && route.methods?.some(isGet) && !isGraphql) {
    warn(
      `${place}/methods`,
      'a GET request has no body with an email, so every GET request for this path is refused with 415, also for the page of the form; ' +
        'leave GET out, so that these requests are forwarded',
    );
  }
  if (isValid(`${place}/methods`) && route.methods !== null && route.methods.length > 0) {
    warn(`${place}/methods`, unreadMethods(route.methods));
  }
  if (isValid(`${place}/email`) && isValid(`${place}/when`) && !isGraphql && hasVariable(route)) {
    warn(
      `${place}/email`,
      'the variable of a GraphQL operation, but the route has no operationName under when: ' +
        (Object.keys(route.when).length === 0
          ? 'every other operation counts as a signup without an email, and an email'
          : 'an email') +
        ' inside a document is not seen; write when: {operationName: signUp}, with the field of the mutation',
    );
  }
  if (isValid(`${place}/max_body`) && isValid(`${place}/max_upload`)) {
    const { max_body, max_upload } = route;
    if ((parseSize(max_upload) ?? 0) < (parseSize(max_body) ?? 0))
      warn(`${place}/max_upload`, `smaller than max_body (${max_body}), which forms with files may have too`);
  }
  if (isValid(`${place}/form`) && Array.isArray(route.form) && route.form.length > 1) {
    if (route.form.includes(ANY_PAGE)) {
      issue(`${place}/form`, 'any already includes every page', 'write form: any, or the paths without it');
    }
  }
  const strictness = { forward: 0, verify: 1, block: 2 };
  for (const [milder, harder] of [
    ['on_low', 'on_medium'],
    ['on_medium', 'on_high'],
  ] as const) {
    if (!isValid(`${place}/${milder}`) || !isValid(`${place}/${harder}`)) continue;
    if (strictness[route[harder]] < strictness[route[milder]]) {
      warn(`${place}/${harder}`, `${harder}: ${route[harder]} is milder than ${milder}: ${route[milder]}`);
    }
  }
}

/** Handlers that ignore the method run for any method: Go's mux, Django's function views, PHP scripts, `app.all`. */
function unreadMethods(methods: readonly string[]): string {
  const named = new Set(methods.map((method) => method.toUpperCase()));
  const others = ['POST', 'PUT', 'PATCH', 'DELETE', 'GET'].filter((method) => !named.has(method));
  return (
    `${others.join(', ')} and every other method are forwarded without a check, even with a signup in their bodies; ` +
    'leave methods out, unless the app answers these methods with 405'
  );
}

function hasVariable({ email }: Route): boolean {
  return [email].flat().some((place) => /^variables[[.]/.test(place));
}

function isGet(method: string): boolean {
  return method.toUpperCase() === 'GET';
}

/** Without a mail server, visitors cannot read the mails: at most this machine shows them. */
function checkMail(
  { document, isValid, warn }: CheckContext,
  routes: readonly (readonly [number, Route])[],
): void {
  if (!isValid('/mail/smtp') || document.mail.smtp !== null) return;
  const mailing = routes
    .map(([, route]) => route)
    .find((r) => r.verify.by === 'email' && r.mode === 'enforce' && verifies(r));
  if (!mailing) return;
  const { listen } = document.dashboard;
  const fate = showsMails(document)
    ? `its mails are only shown at http://${listen}/mailbox`
    : 'no sender can verify, because no mail is sent';
  warn('/mail/smtp', `not set; route "${mailing.name}" verifies by mail, and ${fate}`);
}

/** The development mailbox is only for this machine. */
function showsMails({ proxy, dashboard }: CompleteDocument): boolean {
  const urls = [proxy?.public_url ?? null, dashboard.public_url];
  const host = parseListenAddress(dashboard.listen)?.host ?? '';
  return isLoopbackHost(host) && urls.every((url) => url === null || isLoopbackUrl(url));
}

function checkHoldSecrets({ document, isValid, issue }: CheckContext): void {
  if (!isValid('/verification')) return;
  for (const [i, secret] of document.verification.hold_secrets.entries()) {
    if (secret.length >= MIN_HOLD_SECRET) continue;
    issue(
      `/verification/hold_secrets/${i}`,
      `shorter than ${MIN_HOLD_SECRET} characters`,
      'openssl rand -base64 32',
    );
  }
}

function verifies(route: Route): boolean {
  return [route.on_low, route.on_medium, route.on_high, route.on_error].includes('verify');
}

/**
 * Links in mails and redirects are built from `public_url` only, never from a request. Without `public_url` they start
 * with the address of `listen`, which visitors from elsewhere cannot open.
 */
function checkPublicUrl(
  { document, isValid, issue, warn, places }: CheckContext,
  proxy: Proxy,
  routes: readonly (readonly [number, Route])[],
): void {
  const { public_url, listen, tls, trusted_proxies } = proxy;
  const isKeyOfGate = (place: string) => place.slice('/proxy/'.length) in proxy;
  if (!isValid('/proxy/public_url') || !isValid('/proxy/listen') || public_url !== null) return;
  // The missing key may be one of these unknown keys.
  if ([...places].some((place) => /^\/proxy\/[^/]+$/.test(place) && !isKeyOfGate(place))) return;
  const address = parseListenAddress(listen);
  const users = routes
    .map(([, route]) => route)
    .filter(({ verify }) => verify.by !== 'upstream')
    .filter(verifies);
  const enforced = users.find(({ mode }) => mode === 'enforce');
  if (address && isLoopbackHost(address.host)) {
    const hasVisitors =
      (isValid('/mail/smtp') && document.mail.smtp !== null) ||
      (isValid('/proxy/trusted_proxies') && trusted_proxies.length > 0);
    if (enforced && hasVisitors && isValid('/proxy/tls')) {
      const url = addressUrl(address, tls.cert !== null);
      warn('/proxy/public_url', `not set: links start with ${url}, which only this machine can open`);
    }
  } else if (enforced) {
    issue(
      '/proxy/public_url',
      `missing; route "${enforced.name}" verifies by ${enforced.verify.by}, with links that start with it`,
      'write the URL at which visitors reach the gate, such as https://app.example, or listen: 127.0.0.1:8000 to try it on this machine',
    );
  } else if (users[0]) {
    warn('/proxy/public_url', `will be needed when route "${users[0].name}" leaves monitor mode`);
  }
}
