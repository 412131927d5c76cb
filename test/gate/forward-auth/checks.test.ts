import { hash } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { decodeJwt } from 'jose';
import type { RouteConfig } from '../../../src/config/config.ts';
import { route } from '../../helpers/routes.ts';
import { exchange } from '../../http/raw-client.ts';
import { type GateServer, type GateServerOptions, openGateServer } from '../gate-server.ts';
import { heldAt, openMailGate } from '../mail-gate.ts';

const TOKEN = '0123456789abcdef0123456789abcdef';
const ASK = `/.gatekeeper/check/${TOKEN}`;
const TRUSTED = { trusted_proxies: ['127.0.0.1'], forward_auth: TOKEN };
const FORM = 'application/x-www-form-urlencoded';
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

interface Question {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | null;
}

function openChecks(t: ExecutionContext, options: GateServerOptions = {}): Promise<GateServer> {
  return openGateServer(t, { ...options, proxy: { ...TRUSTED, ...options.proxy } });
}

/** As nginx and Envoy ask: the original target behind the token, with the original method and body. */
function ask({ url }: GateServer, target: string, question: Question = {}): Promise<Response> {
  const { method = 'POST', headers = {}, body = 'email=ada%40company.example' } = question;
  return fetch(`${url}${ASK}${target}`, {
    method,
    redirect: 'manual',
    headers: { 'content-type': FORM, ...headers },
    body: method === 'GET' ? null : body,
  });
}

/** As Traefik asks: a GET with the original body, and the original request in header fields. */
async function askByHeaders(
  { port }: GateServer,
  fields: readonly string[],
  body = 'email=ada%40company.example',
) {
  const head = [
    `GET ${ASK} HTTP/1.1`,
    'Host: gate.internal:8000',
    `Content-Type: ${FORM}`,
    ...(body === '' ? [] : [`Content-Length: ${body.length}`]),
  ];
  const { answers } = await exchange(port, `${[...head, ...fields].join('\r\n')}\r\n\r\n${body}`, {
    answers: 1,
  });
  return answers[0] ?? { status: 0, headers: {}, body: '' };
}

const signup = (uri: string) => [
  `X-Forwarded-Method: POST`,
  `X-Forwarded-Uri: ${uri}`,
  'X-Forwarded-Host: app.example',
];

test('an honest signup may pass on, with the headers for the app, and the app receives nothing from the gate', async (t) => {
  const server = await openChecks(t);
  const answer = await ask(server, '/signup?plan=free');
  t.is(answer.status, 200);
  t.is(await answer.text(), '');
  t.is(answer.headers.get('x-gatekeeper-score'), '91');
  t.is(answer.headers.get('x-gatekeeper-risk-level'), 'low');
  t.is(answer.headers.get('x-gatekeeper-action'), 'forward');
  t.is(answer.headers.get('x-gatekeeper-request-id'), server.recorded[0]?.requestId ?? '');
  t.like(decodeJwt(String(answer.headers.get('x-gatekeeper-assertion'))), {
    method: 'POST',
    path: '/signup?plan=free',
    body_sha256: hash('sha256', 'email=ada%40company.example'),
  });
  t.is(answer.headers.get('x-accel-redirect'), null);
  t.is(server.upstream.connections, 0);
});

test('header fields of a proxy name the original request', async (t) => {
  const server = await openChecks(t);
  for (const [method, uri] of [
    ['X-Forwarded-Method', 'X-Forwarded-Uri'],
    ['X-Original-Method', 'X-Original-URI'],
  ] as const) {
    const answer = await askByHeaders(server, [`${method}: POST`, `${uri}: /signup?a=b`]);
    t.is(answer.status, 200);
    t.like(decodeJwt(answer.headers['x-gatekeeper-assertion'] ?? ''), {
      method: 'POST',
      path: '/signup?a=b',
    });
  }
  t.is(server.recorded.length, 2);
});

test('a refused signup gets the answer that the gate would give, without a reason', async (t) => {
  const server = await openChecks(t);
  const body = 'email=high%40company.example';
  const problem = await ask(server, '/signup', { body });
  t.is(problem.status, 403);
  const text = await problem.text();
  t.like(JSON.parse(text), { code: 'signup_refused', request_id: server.recorded[0]?.requestId });
  t.notRegex(text, /invalid_email|score|risk/);
  const page = await ask(server, '/signup', { body, headers: BROWSER });
  t.is(page.status, 403);
  t.regex(await page.text(), /<h1>/);
  for (const { headers } of [problem, page])
    for (const name of ['score', 'risk-level', 'action', 'assertion'])
      t.is(headers.get(`x-gatekeeper-${name}`), null);
});

test('a signup to verify is redirected, or passes on to an app that verifies', async (t) => {
  const redirect = { by: 'redirect', url: 'https://verify.example/', parameter: 'token' } as const;
  const body = 'email=medium%40company.example';
  const sent = await ask(
    await openChecks(t, { routes: [route('/signup', { verify: redirect })] }),
    '/signup',
    {
      body,
      headers: BROWSER,
    },
  );
  t.is(sent.status, 303);
  t.regex(String(sent.headers.get('location')), /^https:\/\/verify\.example\/\?token=ey/);
  const passed = await ask(await openChecks(t), '/signup', { body });
  t.is(passed.status, 200);
  t.is(passed.headers.get('x-gatekeeper-action'), 'verify');
});

test('a signup that is verified by mail is held, and then reaches the app as the client sent it', async (t) => {
  const gate = await openMailGate(t, { trustedProxies: ['127.0.0.1'], forwardAuth: TOKEN });
  const body = 'email=medium%40company.example&note=caf%C3%A9';
  const refusal = await askByHeaders(
    gate,
    [...signup('/signup?plan=free'), 'X-Forwarded-For: 203.0.113.9'],
    body,
  );
  t.is(refusal.status, 403);
  t.is(gate.upstream.requests.length, 0);
  const path = await heldAt(new Response(refusal.body));
  const shown = await askByHeaders(gate, ['X-Forwarded-Method: GET', `X-Forwarded-Uri: ${path}`], '');
  t.is(shown.status, 404, 'a proxy would send 200 on to the app');
  const [mail] = await gate.mailbox.received(1);
  const confirmed = await fetch(gate.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code: mail?.code ?? '' }),
  });
  t.is(await confirmed.text(), 'welcome');
  const [arrived] = gate.upstream.requests;
  t.like(arrived, { method: 'POST', url: '/signup?plan=free', body: Buffer.from(body) });
  t.like(arrived?.headers, {
    host: 'app.example',
    'x-forwarded-host': 'app.example',
    'x-gatekeeper-action': 'forward',
  });
  t.false('x-forwarded-method' in (arrived?.headers ?? {}));
  t.false('x-forwarded-uri' in (arrived?.headers ?? {}));
});

test('a request that is no signup may pass on at once, without headers', async (t) => {
  const server = await openChecks(t);
  for (const [target, method] of [
    ['/', 'GET'],
    ['/signup', 'GET'],
    ['/signup', 'HEAD'],
    ['/login', 'POST'],
    ['/files/a%2fb', 'PUT'],
    ['/signup', 'OPTIONS'],
  ] as const) {
    const answer = await ask(server, target, { method, body: method === 'HEAD' ? null : 'email=x' });
    t.is(answer.status, 200, target);
    t.deepEqual(
      [...answer.headers.keys()].filter((name) => name.startsWith('x-')),
      [],
    );
  }
  t.is(server.judged.length, 0);
});

const SPELLINGS = [
  ...['/signup', '/SignUp', '/sign%75p', '/sign%2575p', '//signup', '/a/../signup', '/./signup', '/signup/'],
  ...[
    '/signup;x=1',
    '/signup.json',
    '\\signup',
    '/signup%20',
    'http://other.example/signup',
    '/x/%2e%2e/signup',
  ],
];

test('every spelling of the path is read, however the proxy names it', async (t) => {
  const server = await openChecks(t);
  const body = 'email=high%40company.example';
  for (const spelling of SPELLINGS) {
    if (!spelling.startsWith('\\'))
      t.is((await askByHeaders(server, signup(spelling), body)).status, 403, spelling);
    if (!spelling.startsWith('/')) continue;
    const raw = `POST ${ASK}${spelling} HTTP/1.1\r\nHost: a\r\nContent-Type: ${FORM}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const { answers } = await exchange(server.port, raw, { answers: 1 });
    t.is(answers[0]?.status, 403, spelling);
  }
  t.is(server.upstream.connections, 0);
});

test('a path that the gate would refuse unread is refused in a check', async (t) => {
  const server = await openChecks(t);
  t.is((await ask(server, '/signup%2f')).status, 400);
  t.is((await ask(server, `/signup?email=${'%25'.repeat(10)}&email=other%40company.example`)).status, 200);
  t.is((await ask(server, '/signup', { body: 'email=a%40b.example&email=c%40d.example' })).status, 400);
  t.is((await ask(server, '/signup', { headers: { 'content-type': 'text/plain' } })).status, 415);
  t.is((await ask(server, '/signup', { body: `email=${'a'.repeat(1_048_576)}` })).status, 413);
});

test('fields that a client adds lead around nothing', async (t) => {
  const server = await openChecks(t);
  const body = 'email=high%40company.example';
  for (const name of [
    'X-Original-URI',
    'X-Forwarded-Uri',
    'X-Original-URL',
    'X-Rewrite-URL',
    'X_Forwarded_Uri',
  ]) {
    t.is((await ask(server, '/signup', { body, headers: { [name]: '/harmless' } })).status, 403, name);
    t.is((await ask(server, '/front', { body, headers: { [name]: '/signup' } })).status, 403, name);
  }
  const harmless = {
    'X-Forwarded-Method': 'GET',
    'X-Original-Method': 'GET',
    'X-HTTP-Method-Override': 'GET',
  };
  t.is((await ask(server, '/signup', { body, headers: harmless })).status, 403);
  const spoofed = await ask(server, '/signup', {
    headers: { 'X-Gatekeeper-Score': '100', 'X-Gatekeeper-Action': 'forward' },
  });
  t.is(spoofed.headers.get('x-gatekeeper-score'), '91');
});

test('a check that names no request, or several, is refused', async (t) => {
  const server = await openChecks(t);
  for (const [fields, detail] of [
    [[], /x-forwarded-method or x-original-method is missing/],
    [['X-Forwarded-Method: POST'], /x-forwarded-uri or x-original-uri is missing/],
    [[...signup('/signup'), 'X-Forwarded-Uri: /other'], /several original requests in x-forwarded-uri/],
    [[...signup('/signup'), 'X-Original-URI: /other'], /several original requests/],
    [[...signup('/signup'), 'X-Original-Method: GET'], /several original requests in x-forwarded-method/],
    [['X-Forwarded-Method: post', 'X-Forwarded-Uri: /signup'], /original method is not a method/],
    [signup('signup'), /neither a path nor an HTTP URL/],
    [signup('/sign up'), /neither a path nor an HTTP URL/],
    [signup(''), /neither a path nor an HTTP URL/],
  ] as const) {
    const answer = await askByHeaders(server, fields);
    t.is(answer.status, 400);
    t.regex(JSON.parse(answer.body).detail, detail);
  }
  t.is(server.judged.length, 0);
});

test('only a trusted proxy with the token may ask, and each refusal names the setting', async (t) => {
  const off = await openChecks(t, { proxy: { forward_auth: null } });
  const untrusted = await openChecks(t, { proxy: { trusted_proxies: [] } });
  const elsewhere = await openChecks(t, { proxy: { trusted_proxies: ['10.0.0.0/8'] } });
  const server = await openChecks(t);
  const detail = async (response: Response) => {
    t.is(response.status, 404);
    return ((await response.json()) as { readonly detail: string }).detail;
  };
  t.regex(await detail(await ask(off, '/signup')), /proxy\.forward_auth/);
  t.regex(await detail(await ask(untrusted, '/signup')), /proxy\.trusted_proxies/);
  t.regex(await detail(await ask(elsewhere, '/signup')), /proxy\.trusted_proxies/);
  for (const path of [
    '',
    '/',
    '/signup',
    `/${TOKEN.slice(1)}/signup`,
    `/${TOKEN}x/signup`,
    `/${TOKEN.toUpperCase()}/x`,
  ])
    t.regex(
      await detail(
        await fetch(`${server.url}/.gatekeeper/check${path}`, { method: 'POST', body: 'email=a@b.example' }),
      ),
      /proxy\.forward_auth/,
    );
  for (const [gate, setting] of [
    [untrusted, 'proxy.trusted_proxies'],
    [elsewhere, 'proxy.trusted_proxies'],
    [server, 'proxy.forward_auth'],
  ] as const) {
    const lines = gate.log.filter((line) => line.includes('a check was refused'));
    t.is(lines.length, 1);
    t.true(lines[0]?.includes(setting));
    t.false(gate.log.join().includes(TOKEN));
  }
  t.false(off.log.join().includes('a check was refused'));
  for (const gate of [off, untrusted, elsewhere, server]) {
    t.is(gate.judged.length, 0);
    t.is(gate.upstream.connections, 0);
  }
});

test("the gate's own paths are no target, and other spellings of the check ask nothing", async (t) => {
  const server = await openChecks(t);
  for (const target of ['/.gatekeeper/verify/x', `${ASK}/signup`, '/%2egatekeeper/x', '/a/../.gatekeeper'])
    t.is((await askByHeaders(server, signup(target))).status, 404, target);
  for (const path of [
    `/.Gatekeeper/check/${TOKEN}/signup`,
    `/%2egatekeeper/check/${TOKEN}/signup`,
    `/${ASK}/signup`,
  ])
    t.is(
      (
        await exchange(server.port, `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n`, {
          answers: 1,
        })
      ).answers[0]?.status,
      404,
      path,
    );
  t.is(server.judged.length, 0);
  t.is(server.upstream.connections, 0);
});

test('a check without the body says what to change, once a day in the log', async (t) => {
  const server = await openChecks(t);
  for (let i = 0; i < 2; i++) {
    const answer = await askByHeaders(server, signup('/signup'), '');
    t.is(answer.status, 400);
    t.regex(JSON.parse(answer.body).detail, /The check has no body/);
  }
  t.is(server.log.filter((line) => line.includes('asked about a POST without a body')).length, 1);
  const partial = await ask(server, '/signup', { headers: { 'x-envoy-auth-partial-body': 'true' } });
  t.is(partial.status, 400);
  t.is((await ask(server, '/signup', { headers: { 'x-envoy-auth-partial-body': 'false' } })).status, 200);
  t.is(server.judged.length, 1);
});

test('monitor mode refuses nothing', async (t) => {
  const monitored: Partial<RouteConfig> = { mode: 'monitor' };
  const server = await openChecks(t, { routes: [route('/signup', monitored)] });
  const blocked = await ask(server, '/signup', { body: 'email=high%40company.example' });
  t.is(blocked.status, 200);
  t.is(blocked.headers.get('x-gatekeeper-action'), 'forward');
  t.is(blocked.headers.get('x-gatekeeper-monitor'), 'block');
  t.is((await askByHeaders(server, signup('/signup'), '')).headers['x-gatekeeper-monitor'], 'block');
});

test('nginx is sent on to the location that it names, and to no other place', async (t) => {
  const server = await openChecks(t);
  for (const [wanted, answered] of [
    ['@app', '@app'],
    ['/etc/passwd', null],
    ['@a/../b', null],
    ['@', null],
  ] as const) {
    const headers = { 'X-Gatekeeper-Accel-Redirect': wanted };
    for (const target of ['/signup', '/login'])
      t.is((await ask(server, target, { headers })).headers.get('x-accel-redirect'), answered, wanted);
    const refused = await ask(server, '/signup', { headers, body: 'email=high%40company.example' });
    t.is(refused.headers.get('x-accel-redirect'), null);
  }
});

test('the address that the proxy names is judged, whatever the client claimed before', async (t) => {
  const server = await openChecks(t);
  await ask(server, '/signup', { headers: { 'X-Forwarded-For': '6.6.6.6, 203.0.113.7' } });
  t.is(server.judged[0]?.ip?.text, '203.0.113.7');
  t.false(server.judged[0]?.headers?.some(([name]) => /^x-gatekeeper/i.test(name)));
});

test('an overloaded gate says so, and many checks on one connection keep their order', async (t) => {
  let lag = 0;
  const server = await openChecks(t, { lag: () => lag });
  const one = (email: string) =>
    `POST ${ASK}/signup HTTP/1.1\r\nHost: a\r\nContent-Type: ${FORM}\r\nContent-Length: ${email.length + 6}\r\n\r\nemail=${email}`;
  const emails = Array.from({ length: 30 }, (_, i) => (i % 2 ? `high@x${i}.example` : `ada@x${i}.example`));
  const { answers } = await exchange(server.port, emails.map(one).join(''), { answers: 30 });
  t.deepEqual(
    answers.map(({ status }) => status),
    emails.map((_, i) => (i % 2 ? 403 : 200)),
  );
  lag = 2;
  t.is((await ask(server, '/signup')).status, 503);
  t.is((await ask(server, '/login')).status, 200);
});

test('a large body that is no signup does not delay the answer', async (t) => {
  const server = await openChecks(t);
  const answer = await ask(server, '/upload', { body: 'x'.repeat(20_000_000) }).catch(
    (error: unknown) => error,
  );
  // The gate may close before all of it was sent.
  t.true(answer instanceof Response ? answer.status === 200 : answer instanceof TypeError);
  t.is((await ask(server, '/upload', { body: 'x'.repeat(60_000) })).status, 200);
});

test('a check never becomes a WebSocket to the app', async (t) => {
  const server = await openChecks(t);
  // The last one takes more work to read than a request may cost.
  for (const target of ['/live', '/signup', `/${'a.b;c/'.repeat(2_300)}`]) {
    const head = `GET ${ASK}${target} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
    const { answers } = await exchange(server.port, head, { answers: 1 });
    t.is(answers[0]?.status, 200);
  }
  t.is(server.upstream.connections, 0);
});
