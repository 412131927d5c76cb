import test from 'ava';
import { ask, askByHeaders, openChecks, signup, TOKEN } from './ask-check.ts';

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
