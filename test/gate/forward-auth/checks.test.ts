import { hash } from 'node:crypto';
import test from 'ava';
import { decodeJwt } from 'jose';
import type { RouteConfig } from '../../../src/config/config.ts';
import { route } from '../../helpers/routes.ts';
import { exchange } from '../../http/raw-client.ts';
import { heldAt, openMailGate } from '../mail-gate.ts';
import { ASK, ask, askByHeaders, BROWSER, FORM, openChecks, signup, TOKEN } from './ask-check.ts';

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
