import test from 'ava';
import { exchange } from '../../http/raw-client.ts';
import { ASK, ask, askByHeaders, FORM, openChecks, signup, TOKEN } from './ask-check.ts';

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

test('the address that the proxy names is judged, whatever the client claimed before', async (t) => {
  const server = await openChecks(t);
  await ask(server, '/signup', { headers: { 'X-Forwarded-For': '6.6.6.6, 203.0.113.7' } });
  t.is(server.judged[0]?.ip?.text, '203.0.113.7');
  t.false(server.judged[0]?.headers?.some(([name]) => /^x-gatekeeper/i.test(name)));
});
