import test from 'ava';
import { MINUTE_MS, PASSWORD, startAccountServer } from '../account-server.ts';
import { textOf } from '../cookie-browser.ts';
import { STEP_MS, twoFactorUser } from './two-factor-user.ts';

const SESSION = 'gatekeeper_session';
const PENDING = 'gatekeeper_second_step';
const EMAIL = 'jane@example.com';
const SECOND_STEP = '/sign-in/second-step';

test('the password alone opens no page: a code of the app does, and the user goes on where they wanted', async (t) => {
  const server = await startAccountServer(t);
  const jane = await twoFactorUser(t, server, EMAIL);
  const browser = server.browser();
  const answer = await browser.post('/sign-in', { email: EMAIL, password: PASSWORD, next: '/keys' });
  t.like(answer, { status: 303, location: `${SECOND_STEP}?next=%2Fkeys` });
  t.false(browser.cookies.has(SESSION));
  t.false(browser.cookies.has('gatekeeper_browser'), 'half signed in is no known browser');
  for (const path of ['/account', '/account/two-factor', '/overview', '/keys', '/audit']) {
    t.like(await browser.get(path), { status: 303 }, path);
  }
  const page = await browser.get(`${SECOND_STEP}?next=%2Fkeys`);
  t.regex(textOf(page), /You sign in as jane@example\.com/);
  const signedIn = await browser.post(SECOND_STEP, {
    code: ` ${jane.code().slice(0, 3)} ${jane.code().slice(3)}`,
    next: '/keys',
  });
  t.like(signedIn, { status: 303, location: '/keys' });
  t.false(browser.cookies.has(PENDING));
  t.is((await browser.get('/account')).status, 200);
});

test('a passkey is offered only where browsers use one', async (t) => {
  for (const isAtLocalhost of [true, false]) {
    const server = await startAccountServer(t, { isAtLocalhost });
    const jane = await twoFactorUser(t, server, EMAIL);
    const { body } = await (await jane.waiting()).get(SECOND_STEP);
    t.is(body.includes('action="/sign-in/passkey"'), isAtLocalhost);
  }
});

test('the waiting sign-in cannot be used as a session, and a session is no waiting sign-in', async (t) => {
  const server = await startAccountServer(t);
  const jane = await twoFactorUser(t, server, EMAIL);
  const waiting = await jane.waiting();
  const thief = server.browser();
  thief.cookies.set(SESSION, waiting.cookies.get(PENDING) ?? '');
  t.is((await thief.get('/account')).status, 303);
  const other = server.browser();
  other.cookies.set(PENDING, jane.browser.cookies.get(SESSION) ?? '');
  t.is((await other.post(SECOND_STEP, { code: jane.code() })).status, 403);
});

test('a code without the password, or from another account, opens nothing', async (t) => {
  const server = await startAccountServer(t);
  const jane = await twoFactorUser(t, server, EMAIL);
  const john = await twoFactorUser(t, server, 'john@example.com');
  t.is((await server.browser().post(SECOND_STEP, { code: jane.code() })).status, 403);
  const forged = server.browser();
  forged.cookies.set(PENDING, 'A'.repeat(43));
  t.is((await forged.post(SECOND_STEP, { code: jane.code() })).status, 403);
  const waiting = await jane.waiting();
  t.is((await waiting.post(SECOND_STEP, { code: john.code() })).status, 403);
  t.is((await waiting.post(SECOND_STEP, { 'recovery-code': john.recoveryCodes[0] ?? '' })).status, 403);
  t.false(waiting.cookies.has(SESSION));
});

test('a session id set by an attacker is never used, and the new session is not the waiting one', async (t) => {
  const server = await startAccountServer(t);
  const jane = await twoFactorUser(t, server, EMAIL);
  const planted = 'A'.repeat(43);
  const victim = server.browser();
  victim.cookies.set(SESSION, planted);
  victim.cookies.set(PENDING, planted);
  await victim.post('/sign-in', { email: EMAIL, password: PASSWORD });
  const pending = victim.cookies.get(PENDING) ?? '';
  t.not(pending, planted);
  await victim.post(SECOND_STEP, { code: jane.code() });
  const session = victim.cookies.get(SESSION) ?? '';
  t.false([planted, pending, ''].includes(session));
  for (const token of [planted, pending]) {
    const attacker = server.browser();
    attacker.cookies.set(SESSION, token);
    attacker.cookies.set(PENDING, token);
    t.is((await attacker.get('/account')).status, 303);
    t.is((await attacker.post(SECOND_STEP, { code: jane.code(1) })).status, 403);
  }
});

test('a code works once, also in a second browser that waits at the same time', async (t) => {
  const server = await startAccountServer(t);
  const jane = await twoFactorUser(t, server, EMAIL);
  const browsers = [await jane.waiting(), await jane.waiting(), await jane.waiting()];
  const code = jane.code();
  const answers = await Promise.all(browsers.map((browser) => browser.post(SECOND_STEP, { code })));
  t.deepEqual(answers.map(({ status }) => status).sort(), [303, 403, 403]);
  t.is(browsers.filter(({ cookies }) => cookies.has(SESSION)).length, 1);
  const late = await jane.waiting();
  server.clock.now += STEP_MS;
  t.is((await late.post(SECOND_STEP, { code })).status, 403, 'still within its drift');
  t.is((await late.post(SECOND_STEP, { code: jane.code() })).status, 303);
});

test('the waiting sign-in ends after ten minutes, with its use, and with a new password', async (t) => {
  const server = await startAccountServer(t);
  const jane = await twoFactorUser(t, server, EMAIL);
  const slow = await jane.waiting();
  server.clock.now += 10 * MINUTE_MS;
  const ended = await slow.post(SECOND_STEP, { code: jane.code() });
  t.is(ended.status, 403);
  t.regex(textOf(ended), /This sign-in has ended/);
  t.is((await slow.get(SECOND_STEP)).location, '/sign-in?next=%2F');

  const first = await jane.waiting();
  const cookie = first.cookies.get(PENDING) ?? '';
  await first.post(SECOND_STEP, { code: jane.code() });
  const again = server.browser();
  again.cookies.set(PENDING, cookie);
  t.is((await again.post(SECOND_STEP, { code: jane.code(1) })).status, 403);

  const stale = await jane.waiting();
  await jane.browser.post('/account/password', { current: PASSWORD, password: 'another good password' });
  t.is((await stale.post(SECOND_STEP, { code: jane.code(1) })).status, 403);
  t.false(stale.cookies.has(SESSION));
});

test('a recovery code signs in once, and the audit log says how many are left', async (t) => {
  const server = await startAccountServer(t);
  const jane = await twoFactorUser(t, server, EMAIL);
  t.is(jane.recoveryCodes.length, 10);
  const [code = ''] = jane.recoveryCodes;
  const browser = await jane.waiting();
  t.is(
    (await browser.post(SECOND_STEP, { 'recovery-code': code.toLowerCase().replaceAll('-', ' ') })).status,
    303,
  );
  t.is((await browser.get('/account')).status, 200);
  const second = await jane.waiting();
  const refused = await second.post(SECOND_STEP, { 'recovery-code': code });
  t.is(refused.status, 403);
  t.regex(textOf(refused), /This recovery code is wrong or was used before/);
  const [entry] = await server.records.audit.page({ before: null, limit: 1 });
  t.like(entry, { act: 'two_factor.recovery_code_used', actorName: EMAIL, detail: { left: 9 } });
});

test('guessing codes ends for the day, over new sign-ins; a recovery code still opens, and a known browser', async (t) => {
  const server = await startAccountServer(t);
  const jane = await twoFactorUser(t, server, EMAIL);
  await jane.browser.post('/sign-out');
  for (let i = 0; i < 20; i++) {
    if (i % 8 === 7) server.clock.now += 20 * MINUTE_MS;
    const attacker = await jane.waiting();
    t.is((await attacker.post(SECOND_STEP, { code: '000000' })).status, 403, `try ${i}`);
  }
  server.clock.now += 20 * MINUTE_MS;
  const waiting = await jane.waiting();
  const limited = await waiting.post(SECOND_STEP, { code: jane.code() });
  t.is(limited.status, 429);
  t.true(Number(limited.retryAfter) > 3_600);
  t.regex(textOf(limited), /Too many wrong codes\. Wait 2\d hours, or use a recovery code\./);
  t.is((await waiting.post(SECOND_STEP, { 'recovery-code': jane.recoveryCodes[0] ?? '' })).status, 303);
  await jane.browser.post('/sign-in', { email: EMAIL, password: PASSWORD });
  t.is((await jane.browser.post(SECOND_STEP, { code: jane.code() })).status, 303, 'a known browser');
});

test('one address guesses ten codes in a quarter of an hour', async (t) => {
  const server = await startAccountServer(t);
  const jane = await twoFactorUser(t, server, EMAIL);
  const attacker = await jane.waiting();
  for (let i = 0; i < 10; i++) t.is((await attacker.post(SECOND_STEP, { code: '000000' })).status, 403);
  const limited = await attacker.post(SECOND_STEP, { code: jane.code() });
  t.is(limited.status, 429);
  t.regex(textOf(limited), /Too many wrong codes\. Wait/);
  server.clock.now += 15 * MINUTE_MS;
  const later = await jane.waiting();
  t.is((await later.post(SECOND_STEP, { code: jane.code() })).status, 303);
});

test('a new password by mail does not switch two-factor off', async (t) => {
  const server = await startAccountServer(t);
  const jane = await twoFactorUser(t, server, EMAIL);
  const operator = await server.person('op@example.com', 'operator');
  await operator.browser.get('/account');
  const made = await operator.browser.post(`/accounts/${jane.accountId}/link`);
  const link = /\/links\/[\w-]{43}/.exec(made.body)?.[0] ?? '';
  const browser = server.browser();
  const answer = await browser.post(link, { password: 'another good password' });
  t.like(answer, { status: 303, location: `${SECOND_STEP}?next=%2F` });
  t.is((await browser.get('/account')).status, 303);
  t.is((await browser.post(SECOND_STEP, { code: jane.code() })).status, 303);
  t.is((await browser.get('/account')).status, 200);
});

test('a post from another site does not finish a sign-in', async (t) => {
  const server = await startAccountServer(t);
  const jane = await twoFactorUser(t, server, EMAIL);
  const waiting = await jane.waiting();
  for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }]) {
    const answer = await waiting.send({
      ...{ method: 'POST', path: SECOND_STEP, body: `code=${jane.code()}` },
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    });
    t.is(answer.status, 403);
  }
  t.is((await waiting.post(SECOND_STEP, { code: jane.code() })).status, 303);
});

test('a wrong password is refused alike with and without two-factor', async (t) => {
  const server = await startAccountServer(t);
  await twoFactorUser(t, server, EMAIL);
  await server.person('john@example.com');
  const bodies = await Promise.all(
    [EMAIL, 'john@example.com', 'none@example.com'].map(async (email) => {
      const browser = server.browser();
      const answer = await browser.post('/sign-in', { email, password: 'wrong password' });
      return {
        status: answer.status,
        cookies: browser.cookies.size,
        body: answer.body.replaceAll(email, ''),
      };
    }),
  );
  t.is(bodies[0]?.status, 403);
  t.deepEqual(bodies[1], bodies[0]);
  t.deepEqual(bodies[2], bodies[0]);
});
