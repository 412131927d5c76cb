import test from 'ava';
import { MINUTE_MS, PASSWORD, startAccountServer } from './account-server.ts';
import { textOf } from './cookie-browser.ts';

const COOKIE = 'gatekeeper_session';

test('signing in creates a new session and ends the old session of the browser', async (t) => {
  const { person, signIn } = await startAccountServer(t);
  const { browser } = await person('jane@example.com');
  const before = browser.cookies.get(COOKIE) ?? '';
  await browser.get('/account');
  t.is((await browser.post('/sign-in', { email: 'JANE@example.com ', password: PASSWORD })).status, 303);
  t.not(browser.cookies.get(COOKIE), before);
  t.is((await browser.get('/account')).status, 200);
  const thief = await signIn('jane@example.com', 'wrong');
  thief.cookies.set(COOKIE, before);
  t.is((await thief.get('/account')).status, 303);
});

test('pages that were open before another tab signed in still sign in and use a link', async (t) => {
  const { person, browser, signIn, setUpPath } = await startAccountServer(t);
  await person('jane@example.com');
  const jane = { email: 'jane@example.com', password: PASSWORD };
  const tabs = await signIn('jane@example.com');
  const post = (path: string, fields: Readonly<Record<string, string>>, origin = 'same-origin') =>
    tabs.send({
      ...{ method: 'POST', path, body: new URLSearchParams(fields).toString() },
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': origin },
    });
  t.is((await post('/sign-in', jane)).location, '/');
  t.is((await tabs.get('/account')).status, 200);
  t.is((await post('/forgotten', { email: 'jane@example.com' })).status, 200);
  t.is((await post(await setUpPath(), { email: 'ada@example.com', password: PASSWORD })).location, '/');
  t.regex((await tabs.get('/account')).body, /ada@example\.com/);
  for (const site of ['cross-site', 'same-site'])
    t.is((await post('/sign-in', jane, site)).status, 403, site);
  t.is((await browser().get('/account')).status, 303);
});

test('a session id set by an attacker is never used (session fixation)', async (t) => {
  const { person, browser } = await startAccountServer(t);
  await person('jane@example.com');
  const victim = browser();
  const planted = 'A'.repeat(43);
  victim.cookies.set(COOKIE, planted);
  await victim.post('/sign-in', { email: 'jane@example.com', password: PASSWORD });
  t.not(victim.cookies.get(COOKIE), planted);
  const attacker = browser();
  attacker.cookies.set(COOKIE, planted);
  t.is((await attacker.get('/account')).status, 303);
});

test('the cookie is HttpOnly and host-only on loopback, and a __Host- cookie over https', async (t) => {
  const plain = await startAccountServer(t);
  const { browser } = await plain.person('jane@example.com');
  const attributes = 'Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax';
  t.regex(browser.lastSetCookies[0] ?? '', new RegExp(`^gatekeeper_session=[\\w-]{43}; ${attributes}$`));

  const secure = await startAccountServer(t, { public_url: 'https://gatekeeper.example' });
  const { browser: other } = await secure.person('jane@example.com');
  t.regex(other.lastSetCookies[0] ?? '', new RegExp(`^__Host-gatekeeper=[\\w-]{43}; ${attributes}; Secure$`));
  t.is((await other.get('/account')).status, 200);
  other.cookies.set(COOKIE, other.cookies.get('__Host-gatekeeper') ?? '');
  other.cookies.delete('__Host-gatekeeper');
  t.is((await other.get('/account')).status, 303, 'the name without the prefix opens nothing there');
});

test('signing out ends the session at once, also in a process that shares the records', async (t) => {
  const { person, browser, records } = await startAccountServer(t);
  const { browser: own, accountId } = await person('jane@example.com');
  const copy = browser();
  copy.cookies.set(COOKIE, own.cookies.get(COOKIE) ?? '');
  t.is((await copy.get('/account')).status, 200);
  await own.get('/account');
  const answer = await own.post('/sign-out');
  t.like(answer, { status: 303, location: '/sign-in' });
  t.false(own.cookies.has(COOKIE));
  t.is((await copy.get('/account')).status, 303);
  t.deepEqual(await records.sessions.list(accountId), []);
});

test('a session ended by another process ends with the next request', async (t) => {
  const { person, records } = await startAccountServer(t);
  const { browser, accountId } = await person('jane@example.com');
  t.is((await browser.get('/account')).status, 200);
  await records.sessions.endAll(accountId, null);
  t.is((await browser.get('/account')).status, 303);
});

test('signing in redirects to the requested page of this site only', async (t) => {
  const { person, browser } = await startAccountServer(t);
  await person('jane@example.com');
  const asked = await browser().get('/account');
  t.is(asked.location, '/sign-in?next=%2Faccount');
  for (const [next, location] of [
    ['/account', '/account'],
    ['/decisions?level=high', '/decisions?level=high'],
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['https://evil.example', '/'],
    ['javascript:alert(1)', '/'],
    ['/a\r\nSet-Cookie: x=y', '/'],
  ]) {
    const answer = await browser().post('/sign-in', {
      ...{ email: 'jane@example.com', password: PASSWORD, next: next ?? '' },
    });
    t.is(answer.location, location ?? null);
  }
});

test('an unknown email and a wrong password get the same answer', async (t) => {
  const { person, browser } = await startAccountServer(t);
  await person('jane@example.com');
  const answers = [];
  for (const email of ['jane@example.com', 'john@example.com', 'no address']) {
    const { status, body } = await browser().post('/sign-in', { email, password: 'wrong' });
    answers.push({ status, body: body.replaceAll(email, 'EMAIL') });
  }
  t.is(answers[0]?.status, 403);
  t.deepEqual(answers[1], answers[0]);
  t.deepEqual(answers[2], answers[0]);
});

test('ten wrong passwords in 15 minutes lock an email, with or without an account', async (t) => {
  const { person, browser, clock } = await startAccountServer(t);
  await person('jane@example.com');
  for (const email of ['jane@example.com', 'unknown@example.com']) {
    const tries = await Promise.all(
      Array.from({ length: 12 }, () => browser().post('/sign-in', { email, password: 'wrong' })),
    );
    t.is(tries.filter(({ status }) => status === 403).length, 10);
    const refused = tries.filter(({ status }) => status === 429);
    t.is(refused.length, 2);
    t.is(refused[0]?.retryAfter, '900');
    t.true(refused.every(({ body }) => body.includes('Wait 15 minutes')));
  }
  const right = { email: 'Jane@example.com', password: PASSWORD };
  t.is((await browser().post('/sign-in', right)).status, 429, 'in whatever letters, and with the right one');
  clock.now += 15 * MINUTE_MS;
  t.is((await browser().post('/sign-in', right)).status, 303);
});

const KNOWN = 'gatekeeper_browser';
const wrong = { email: 'jane@example.com', password: 'wrong' };
const right = { email: 'jane@example.com', password: PASSWORD };

test('guesses of an unknown browser lock out neither a known browser nor clients of other networks', async (t) => {
  const { person, browser } = await startAccountServer(t, { trusted_proxies: ['127.0.0.1'] });
  const { browser: own } = await person('jane@example.com');
  await own.get('/account');
  await own.post('/sign-out');
  t.true(own.cookies.has(KNOWN), 'signing out does not make it a stranger');
  const guesses = await Promise.all(Array.from({ length: 30 }, () => browser().post('/sign-in', wrong)));
  t.is(guesses.filter(({ status }) => status === 403).length, 10);
  t.is((await browser().post('/sign-in', right)).status, 429, 'a stranger at the same place');
  t.is((await own.post('/sign-in', right)).status, 303, 'the owner at the same place');
  const elsewhere = await browser().send({
    ...{ method: 'POST', path: '/sign-in', body: new URLSearchParams(right).toString() },
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': '203.0.113.9' },
  });
  t.is(elsewhere.status, 303, 'the owner at another place, in a new browser');
});

test('a stolen cookie of a known browser opens no session and gets ten guesses', async (t) => {
  const { person, browser } = await startAccountServer(t);
  const { browser: own } = await person('jane@example.com');
  const thief = browser();
  thief.cookies.set(KNOWN, own.cookies.get(KNOWN) ?? '');
  t.is((await thief.get('/account')).status, 303);
  const guesses = await Promise.all(Array.from({ length: 14 }, () => thief.post('/sign-in', wrong)));
  t.is(guesses.filter(({ status }) => status === 403).length, 10);
  t.is(guesses.filter(({ status }) => status === 429).length, 4);
});

test('a forged cookie, or one of another account or earlier password, makes no browser known', async (t) => {
  const { person, browser, clock } = await startAccountServer(t);
  const { browser: own } = await person('jane@example.com');
  const { browser: other } = await person('eve@example.com');
  const [id = '', mark = ''] = (own.cookies.get(KNOWN) ?? '').split('.');
  const before = own.cookies.get(KNOWN) ?? '';
  clock.now += MINUTE_MS;
  await own.get('/account');
  const changed = await own.post('/account/password', { current: PASSWORD, password: `${PASSWORD} two` });
  t.is(changed.status, 303);
  t.not(own.cookies.get(KNOWN), before, 'the browser in which it was changed stays known');
  clock.now += 15 * MINUTE_MS;
  await Promise.all(Array.from({ length: 10 }, () => browser().post('/sign-in', wrong)));
  for (const forged of [
    before,
    other.cookies.get(KNOWN) ?? '',
    `${'A'.repeat(22)}.${mark}`,
    `${id}.${'A'.repeat(22)}`,
    `${id}.${mark.toLowerCase()}`,
    `${id}.`,
    'x'.repeat(4_000),
  ]) {
    const visitor = browser();
    visitor.cookies.set(KNOWN, forged);
    t.is((await visitor.post('/sign-in', wrong)).status, 429, forged);
  }
  t.is((await own.post('/sign-out')).status, 303);
  t.is((await own.post('/sign-in', { ...right, password: `${PASSWORD} two` })).status, 303);
});

test('a shared browser is known to the accounts of both users', async (t) => {
  const { person, browser } = await startAccountServer(t);
  await person('jane@example.com');
  await person('john@example.com');
  const shared = browser();
  for (const email of ['jane@example.com', 'john@example.com']) {
    t.is((await shared.post('/sign-in', { email, password: PASSWORD })).status, 303);
    await shared.get('/account');
    await shared.post('/sign-out');
  }
  for (const email of ['jane@example.com', 'john@example.com']) {
    await Promise.all(
      Array.from({ length: 12 }, () => browser().post('/sign-in', { email, password: 'wrong' })),
    );
  }
  for (const email of ['jane@example.com', 'john@example.com']) {
    t.is((await shared.post('/sign-in', { email, password: PASSWORD })).status, 303, email);
    await shared.get('/account');
    await shared.post('/sign-out');
  }
});

test('the cookie of a known browser names no account and is HttpOnly', async (t) => {
  const { person } = await startAccountServer(t, { public_url: 'https://gatekeeper.example' });
  const { browser, accountId } = await person('jane@example.com');
  const cookie = browser.lastSetCookies[1] ?? '';
  t.regex(
    cookie,
    /^__Host-gatekeeper-browser=[\w-]{22}\.[\w-]{22}; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
  );
  t.false(cookie.includes(accountId) || cookie.includes('jane'));
});

test('without an operator the sign-in page explains the set-up link', async (t) => {
  const { browser, person } = await startAccountServer(t);
  t.regex(textOf(await browser().get('/sign-in')), /no operator yet/);
  await person('op@example.com', 'operator');
  t.notRegex(textOf(await browser().get('/sign-in')), /no operator yet/);
});
