import { hash } from 'node:crypto';
import test from 'ava';
import { decodeJwt, jwtVerify } from 'jose';
import { referenceOf } from '../../src/http/reference.ts';
import { route } from '../helpers/routes.ts';
import { exchange } from '../http/raw-client.ts';
import { ASSERTION_SECRET, NOON, openGateServer } from './gate-server.ts';

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const REDIRECT = { by: 'redirect', url: 'https://verify.example/?from=gate', parameter: 'token' } as const;

const VARY =
  'Accept-Language, Turbo-Frame, Next-Action, X-Inertia, X-SvelteKit-Action, Accept, User-Agent, HX-Request, X-Up-Version';

test("a low-risk signup reaches the app byte for byte, with the gate's headers", async (t) => {
  const server = await openGateServer(t);
  const answer = await server.signUp('ada@company.example', { 'x-custom': 'kept' });
  t.is(answer.status, 201);
  t.is(await answer.text(), 'welcome');
  const [arrived] = server.upstream.requests;
  const [decision] = server.recorded;
  t.is(arrived?.body.toString(), '{"email":"ada@company.example"}');
  t.like(arrived?.headers, {
    'x-custom': 'kept',
    'x-gatekeeper-request-id': decision?.requestId,
    'x-gatekeeper-score': '91',
    'x-gatekeeper-risk-level': 'low',
    'x-gatekeeper-action': 'forward',
  });
  t.false('x-gatekeeper-monitor' in (arrived?.headers ?? {}));
  t.false('x-gatekeeper-degraded' in (arrived?.headers ?? {}));
});

test('the assertion states the judgement and the forwarded request, for sixty seconds', async (t) => {
  const server = await openGateServer(t);
  await server.signUp(' ada@company.example ');
  const [arrived] = server.upstream.requests;
  const token = String(arrived?.headers['x-gatekeeper-assertion']);
  const { payload } = await jwtVerify(token, new TextEncoder().encode(ASSERTION_SECRET), {
    currentDate: new Date(NOON + 59_000),
  });
  t.deepEqual(payload, {
    iss: 'gatekeeper',
    jti: server.recorded[0]?.requestId ?? '',
    iat: NOON / 1_000,
    exp: NOON / 1_000 + 60,
    score: 91,
    risk_level: 'low',
    action: 'forward',
    mode: 'enforce',
    verified: false,
    method: 'POST',
    path: '/signup',
    email_sha256: hash('sha256', 'ada@company.example'),
    body_sha256: hash('sha256', arrived?.body ?? Buffer.alloc(0)),
  });
});

test('the path of an assertion is the target as the app gets it: query and all, without the host of a proxy', async (t) => {
  const server = await openGateServer(t);
  const body = '{"email":"ada@company.example"}';
  const head = `Host: gate.example\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  await exchange(server.port, `POST http://gate.example/%73ignup?plan=a%2Fb HTTP/1.1\r\n${head}${body}`, {
    answers: 1,
  });
  const [arrived] = server.upstream.requests;
  t.is(arrived?.url, '/%73ignup?plan=a%2Fb');
  t.is(decodeJwt(String(arrived?.headers['x-gatekeeper-assertion'])).path, arrived?.url);
});

test('a high-risk signup never leaves the gate: a program gets a problem document without a reason', async (t) => {
  const server = await openGateServer(t);
  const answer = await server.signUp('high@company.example');
  t.is(answer.status, 403);
  t.is(answer.headers.get('content-type'), 'application/problem+json');
  t.is(answer.headers.get('cache-control'), 'no-store');
  t.is(answer.headers.get('vary'), VARY);
  const reference = referenceOf(server.recorded[0]?.requestId ?? '');
  t.is(answer.headers.get('gatekeeper-reference'), reference);
  t.deepEqual(await answer.json(), {
    type: 'urn:gatekeeper:problem:signup_refused',
    title: 'This signup was refused.',
    status: 403,
    detail: `Quote the request id or the reference ${reference} to the operators if this is a mistake.`,
    code: 'signup_refused',
    request_id: server.recorded[0]?.requestId,
  });
  t.is(server.upstream.connections, 0);
  t.like(server.recorded[0], {
    action: 'block',
    mode: 'enforce',
    riskLevel: 'high',
    door: 'gate',
    route: '/signup',
  });
});

test('a refused person gets a page in their language, without any text of the request', async (t) => {
  const server = await openGateServer(t);
  const answer = await server.signUp('high@company.example', {
    ...BROWSER,
    'accept-language': 'xx, de-AT;q=0.8, fr;q=0.5',
    'x-forwarded-host': 'evil.example',
    'user-agent': 'marker-agent',
  });
  const page = await answer.text();
  t.is(answer.status, 403);
  t.is(answer.headers.get('content-type'), 'text/html; charset=utf-8');
  t.is(answer.headers.get('content-language'), 'de');
  t.is(answer.headers.get('cache-control'), 'no-store');
  t.is(answer.headers.get('vary'), VARY);
  t.regex(answer.headers.get('content-security-policy') ?? '', /^default-src 'none'/);
  t.true(page.includes('<html lang="de">'));
  t.true(page.includes(server.recorded[0]?.requestId ?? 'no decision'));
  t.notRegex(page, /evil|marker|company|signup_refused|invalid|score|xx/);
  t.is(server.upstream.connections, 0);
});

test('a refused person whose form is in a frame of Turbo gets the page as a whole', async (t) => {
  const server = await openGateServer(t);
  const framed = { ...BROWSER, 'turbo-frame': 'signup' };
  const meta = '<meta name="turbo-visit-control" content="reload">';
  t.true((await (await server.signUp('high@company.example', framed)).text()).includes(meta));
  t.false((await (await server.signUp('high@company.example', BROWSER)).text()).includes(meta));
});

test('a refused person whose form SvelteKit or Next.js sends gets an error that the library shows', async (t) => {
  const server = await openGateServer(t);
  const german = { 'accept-language': 'de' };
  const sveltekit = { ...german, 'x-sveltekit-action': 'true', accept: 'application/json' };
  const refused = await server.signUp('high@company.example', sveltekit);
  const reference = refused.headers.get('gatekeeper-reference');
  const message = `Wir konnten Ihre Registrierung nicht abschließen (${reference})`;
  t.is(refused.status, 403);
  t.deepEqual(await refused.json(), { type: 'error', error: { status: 403, message } });

  const next = { 'next-action': '40ab', accept: 'text/x-component' };
  const error = await server.signUp('high@company.example', next);
  t.is(error.status, 403);
  t.is(error.headers.get('content-type'), 'text/plain');
  t.regex(await error.text(), /^We could not complete your sign-up \(\w{8}\)$/);
  const unread = await server.signUp('a@b.example', { ...next, 'content-encoding': 'odd' });
  t.is(unread.status, 415);
  t.regex(await unread.text(), /^Your form could not be read \([-\w]{36}\)$/);
});

test('a medium-risk signup is forwarded and marked when the app verifies by itself', async (t) => {
  const server = await openGateServer(t);
  t.is((await server.signUp('medium@company.example')).status, 201);
  const headers = server.upstream.requests[0]?.headers;
  t.like(headers, {
    'x-gatekeeper-action': 'verify',
    'x-gatekeeper-score': '53',
    'x-gatekeeper-risk-level': 'medium',
  });
  t.is(decodeJwt(String(headers?.['x-gatekeeper-assertion'])).action, 'verify');
});

test('a medium-risk signup is sent to another page with a signed token, and the app never hears of it', async (t) => {
  const server = await openGateServer(t, {
    routes: [route('/signup', { verify: REDIRECT })],
    proxy: { public_url: 'https://app.example' },
  });
  const answer = await server.signUp('medium@company.example', BROWSER);
  t.is(answer.status, 303);
  t.is(answer.headers.get('cache-control'), 'no-store');
  const location = new URL(answer.headers.get('location') ?? '');
  t.is(location.origin + location.pathname, 'https://verify.example/');
  t.is(location.searchParams.get('from'), 'gate');
  const { payload } = await jwtVerify(
    location.searchParams.get('token') ?? '',
    new TextEncoder().encode(ASSERTION_SECRET),
    { currentDate: new Date(NOON), audience: REDIRECT.url, issuer: 'gatekeeper' },
  );
  t.like(payload, {
    jti: server.recorded[0]?.requestId,
    exp: NOON / 1_000 + 1_800,
    action: 'verify',
    route: '/signup',
    email_sha256: hash('sha256', 'medium@company.example'),
    return_to: 'https://app.example',
  });
  t.false('method' in payload, 'it must not pass for an assertion');
  t.is(server.upstream.connections, 0);
});

test('a person whose form Next.js sends leads to the other page in its own words', async (t) => {
  const server = await openGateServer(t, { routes: [route('/signup', { verify: REDIRECT })] });
  const answer = await server.signUp('medium@company.example', { 'next-action': '40ab' });
  t.is(answer.status, 303);
  t.regex(answer.headers.get('x-action-redirect') ?? '', /^https:\/\/verify\.example\/\?from=gate&token=ey/);
});

test('a program that is to verify elsewhere gets the address and how long it is good for', async (t) => {
  const server = await openGateServer(t, { routes: [route('/signup', { verify: REDIRECT })] });
  const answer = await server.signUp('medium@company.example');
  const problem = (await answer.json()) as Record<string, string>;
  t.is(answer.status, 403);
  t.is(problem.code, 'verification_required');
  t.regex(problem.verification_url ?? '', /^https:\/\/verify\.example\/\?from=gate&token=ey/);
  t.is(problem.expires_at, new Date(NOON + 1_800_000).toISOString());
  t.is(server.upstream.connections, 0);
});

test('a request that matches a path but none of the conditions is forwarded like any other', async (t) => {
  const server = await openGateServer(t, {
    routes: [route('/graphql', { when: { operationName: 'SignUp' } })],
  });
  const headers = { 'content-type': 'application/json' };
  const body = '{ "operationName":"Feed","query":"query Feed{a}" }';
  t.is((await fetch(`${server.url}/graphql`, { method: 'POST', headers, body })).status, 201);
  t.is(server.upstream.requests[0]?.body.toString(), body);
  t.deepEqual(
    Object.keys(server.upstream.requests[0]?.headers ?? {}).filter((name) => /gatekeeper/.test(name)),
    [],
  );
  t.is(server.judged.length, 0);
});

for (const [body, type, status, code] of [
  ['{"email":"a@b.example","email":"c@d.example"}', 'application/json', 400, 'invalid_request'],
  ['{"email":', 'application/json', 400, 'malformed_json'],
  ['email=a@b.example&email=c@d.example', 'application/x-www-form-urlencoded', 400, 'invalid_request'],
  ['email=a@b.example', 'text/plain', 415, 'unsupported_media_type'],
  [`{"email":"${'a'.repeat(2_000)}@b.example"}`, 'application/json', 413, 'payload_too_large'],
] as const) {
  test(`${body.slice(0, 45)} as ${type} is refused with ${status} before the app sees a byte`, async (t) => {
    const server = await openGateServer(t, { routes: [route('/signup', { max_body: 1_024 })] });
    const headers = { accept: 'application/json', 'content-type': type };
    const answer = await fetch(`${server.url}/signup`, { method: 'POST', headers, body });
    t.is(answer.status, status);
    t.is(((await answer.json()) as { code: string }).code, code);
    t.is(server.upstream.connections, 0);
  });
}

test('levels of a route decide there, and those of the scoring elsewhere', async (t) => {
  const routes = [route('/signup', { levels: { low: 99, medium: 95 } }), route('/join')];
  const server = await openGateServer(t, { routes });
  t.is((await server.signUp('ada@company.example')).status, 403);
  t.is(server.recorded[0]?.riskLevel, 'high');
  const body = new URLSearchParams({ email: 'ada@company.example' });
  t.is((await fetch(`${server.url}/join`, { method: 'POST', body })).status, 201);
});

for (const [on_low, on_medium, on_high] of [
  ['block', 'block', 'block'],
  ['forward', 'forward', 'forward'],
  ['verify', 'block', 'forward'],
] as const) {
  test(`a route with ${on_low}, ${on_medium}, ${on_high} takes these actions`, async (t) => {
    const server = await openGateServer(t, { routes: [route('/signup', { on_low, on_medium, on_high })] });
    for (const [name, action] of [
      ['ada', on_low],
      ['medium', on_medium],
      ['high', on_high],
    ] as const) {
      const answer = await server.signUp(`${name}@company.example`);
      t.is(answer.status, action === 'block' ? 403 : 201);
      t.is(server.recorded.at(-1)?.action, action);
    }
  });
}

test('a signup without an email is invalid, and a route can let it pass', async (t) => {
  const routes = [route('/signup'), route('/join', { on_missing_email: 'forward' })];
  const server = await openGateServer(t, { routes });
  const post = (path: string, email: string) =>
    fetch(server.url + path, { method: 'POST', body: new URLSearchParams({ email, name: 'Ada' }) });
  t.is((await post('/signup', ' ')).status, 403);
  t.is((await post('/join', '')).status, 201);
  t.is((await post('/join', 'no mailbox')).status, 403);
  t.deepEqual(
    server.judged.map(({ email }) => email),
    [
      { mailbox: null, problem: 'missing' },
      { mailbox: null, problem: 'missing' },
      { mailbox: null, problem: 'syntax' },
    ],
  );
  t.is(decodeJwt(String(server.upstream.requests[0]?.headers['x-gatekeeper-assertion'])).email_sha256, null);
});
