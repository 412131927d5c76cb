import { request as httpRequest } from 'node:http';
import test from 'ava';
import { NAVIGATION } from '../../src/dashboard/layout/navigation.ts';
import { startDashboard } from './dashboard-server.ts';

const PUBLIC_PAGES = ['/sign-in', '/static/elements.css', '/nowhere'];

function statusWithHost(url: string, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    httpRequest(url, { headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}

test('every answer forbids frames, inline scripts, sniffing and caching, and names no server', async (t) => {
  const { stranger, signIn } = await startDashboard(t);
  const [visitor, operator] = [stranger(), await signIn('operator')];
  const answers = [
    ...(await Promise.all(PUBLIC_PAGES.map((path) => visitor.get(path)))),
    ...(await Promise.all(NAVIGATION.map(({ href }) => operator.get(href)))),
  ];
  for (const { headers } of answers) {
    const policy = headers.get('content-security-policy') ?? '';
    t.regex(policy, /default-src 'none'.*script-src 'self'.*frame-ancestors 'none'/);
    t.notRegex(policy, /unsafe/);
    t.is(headers.get('x-frame-options'), 'DENY');
    t.is(headers.get('x-content-type-options'), 'nosniff');
    t.is(headers.get('cross-origin-resource-policy'), 'same-origin');
    t.is(headers.get('server'), null);
    t.is(headers.get('x-powered-by'), null);
    t.is(headers.get('strict-transport-security'), null);
  }
  t.is((await visitor.get('/sign-in')).headers.get('cache-control'), 'no-store');
});

test('an operator opens every page of the navigation, a member only pages for members', async (t) => {
  const { signIn } = await startDashboard(t);
  const [operator, member] = [await signIn('operator'), await signIn('member')];
  for (const { href, operatorsOnly } of NAVIGATION) {
    const seen = await operator.get(href);
    t.is(seen.status, 200, href);
    t.true(seen.body.includes('<h1>'), href);
    t.is((await member.get(href)).status, operatorsOnly ? 404 : 200, href);
  }
});

test('a visitor without a session is redirected to sign in, and back', async (t) => {
  const { stranger } = await startDashboard(t);
  for (const { href } of NAVIGATION) {
    const { status, headers } = await stranger().get(`${href}?x=1`);
    t.is(status, 303, href);
    t.is(headers.get('location'), `/sign-in?next=${encodeURIComponent(`${href}?x=1`)}`);
  }
});

test('an unknown page is 404, another method 405, and neither answer repeats the path', async (t) => {
  const { signIn, stranger, url } = await startDashboard(t);
  const operator = await signIn('operator');
  const unknown = await operator.get('/%3Cscript%3Ealert(1)%3C/script%3E');
  t.is(unknown.status, 404);
  t.false(unknown.body.includes('alert(1)'));
  const response = await fetch(`${url}/sign-in`, { method: 'DELETE' });
  t.is(response.status, 405);
  t.regex(response.headers.get('allow') ?? '', /GET/);
  t.is((await stranger().get('/static/..%2fform.ts')).status, 404);
});

test('a request with an unknown host name gets no page', async (t) => {
  const { url } = await startDashboard(t);
  t.is(await statusWithHost(`${url}/sign-in`, 'evil.example'), 421);
  t.is(await statusWithHost(`${url}/sign-in`, 'localhost'), 200);
});

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const FORGERIES: Readonly<Record<string, readonly [headers: Record<string, string>, body: string]>> = {
  'without a token': [FORM, ''],
  'with a wrong token': [FORM, 'csrf=AAAA'],
  'from another origin': [{ ...FORM, origin: 'https://evil.example' }, 'csrf=AAAA'],
  'from a page of another site': [{ ...FORM, 'sec-fetch-site': 'cross-site' }, ''],
  'from a neighbouring host': [{ ...FORM, 'sec-fetch-site': 'same-site' }, ''],
  'from nowhere': [{ ...FORM, origin: 'null' }, ''],
  'as text that is JSON': [{ 'content-type': 'text/plain' }, '{"csrf":"AAAA"}'],
  'as JSON': [{ 'content-type': 'application/json' }, '{"csrf":"AAAA"}'],
};

test('a form without a valid token is refused and changes nothing', async (t) => {
  const { signIn, url } = await startDashboard(t);
  const { cookie } = await signIn('operator');
  for (const [title, [headers, body]] of Object.entries(FORGERIES)) {
    const response = await fetch(`${url}/sign-out`, {
      ...{ method: 'POST', redirect: 'manual', headers: { cookie, ...headers }, body },
    });
    t.is(response.status, 403, title);
    const after = await fetch(`${url}/keys`, { headers: { cookie }, redirect: 'manual' });
    t.is(after.status, 200, title);
  }
});

test('a form from another site is refused even with a valid token', async (t) => {
  const { signIn, url } = await startDashboard(t);
  const operator = await signIn('operator');
  const [, token = ''] = /name="csrf" value="([^"]+)"/.exec((await operator.get('/account')).body) ?? [];
  const signOut = (headers: Record<string, string>) =>
    fetch(`${url}/sign-out`, {
      ...{ method: 'POST', redirect: 'manual', headers: { cookie: operator.cookie, ...FORM, ...headers } },
      body: new URLSearchParams({ csrf: token }).toString(),
    });
  t.is((await signOut({ origin: 'https://evil.example' })).status, 403);
  t.is((await signOut({ 'sec-fetch-site': 'cross-site' })).status, 403);
  t.is((await signOut({ origin: url, 'sec-fetch-site': 'same-origin' })).status, 303);
});

test('a form that is too large is refused before it is read', async (t) => {
  const { stranger, signIn } = await startDashboard(t);
  t.is((await stranger().post('/sign-in', { email: 'a'.repeat(1_000_000) })).status, 413);
  const operator = await signIn('operator');
  t.is((await operator.post('/lists', { x: 'a'.repeat(5_000_000) })).status, 413);
  t.is((await operator.post('/sign-out', { x: 'a'.repeat(100_000) })).status, 413);
  const member = await signIn('member');
  for (const path of ['/lists', '/keys', '/account/password'])
    t.is((await member.post(path, { x: ' '.repeat(100_000) })).status, 413, path);
  t.is((await operator.get('/keys')).status, 200);
});

test('static files have a URL that changes with their content, and may be cached', async (t) => {
  const { stranger } = await startDashboard(t);
  const { body } = await stranger().get('/sign-in');
  const [, href = ''] = /href="(\/static\/elements\.css\?v=[\da-f]{12})"/.exec(body) ?? [];
  const kept = await stranger().get(href);
  t.is(kept.headers.get('content-type'), 'text/css; charset=utf-8');
  t.regex(kept.headers.get('cache-control') ?? '', /immutable/);
  t.is((await stranger().get('/static/elements.css?v=0')).headers.get('cache-control'), 'no-cache');
});
