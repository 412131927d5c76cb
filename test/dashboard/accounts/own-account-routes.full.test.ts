import test from 'ava';
import { linkIn, PASSWORD, startAccountServer } from './account-server.ts';
import { textOf } from './cookie-browser.ts';

const COOKIE = 'gatekeeper_session';

test('a changed password needs the current one, keeps this session, and ends the others', async (t) => {
  const { person, signIn, browser, records } = await startAccountServer(t);
  const { browser: own } = await person('jane@example.com');
  const other = await signIn('jane@example.com');
  await own.get('/account');
  const refused = await own.post('/account/password', { current: 'wrong', password: 'a new password' });
  t.is(refused.status, 403);
  t.regex(textOf(refused), /Nothing was changed.*not your password/);
  const short = await own.post('/account/password', { current: PASSWORD, password: 'short' });
  t.regex(textOf(short), /too short/);
  t.is((await other.get('/account')).status, 200);

  const changed = await own.post('/account/password', { current: PASSWORD, password: 'a new password' });
  t.is(changed.location, '/account?done=password');
  t.regex(textOf(await own.get('/account?done=password')), /The password was changed/);
  t.is((await other.get('/account')).status, 303);
  const signInWith = async (password: string) =>
    (await browser().post('/sign-in', { email: 'jane@example.com', password })).status;
  t.is(await signInWith(PASSWORD), 403);
  t.is(await signInWith('a new password'), 303);
  const acts = (await records.audit.page({ before: null, limit: 2 })).map(({ act }) => act);
  t.deepEqual(acts, ['account.password_set']);
});

test('a stolen session gets at most ten guesses of the password', async (t) => {
  const { person } = await startAccountServer(t);
  const { browser } = await person('jane@example.com');
  await browser.get('/account');
  const tries = await Promise.all(
    Array.from({ length: 11 }, () =>
      browser.post('/account/password', { current: 'wrong', password: 'a new password' }),
    ),
  );
  t.deepEqual(tries.map(({ status }) => status).sort(), [...Array(10).fill(403), 429]);
});

test('a new email applies after its mailbox confirms, and the old mailbox gets a mail', async (t) => {
  const { person, browser, mailbox } = await startAccountServer(t);
  const { browser: own } = await person('jane@example.com');
  await own.get('/account');
  const wrong = await own.post('/account/email', { email: 'new@example.com', 'email-password': 'wrong' });
  t.is(wrong.status, 403);
  const asked = await own.post('/account/email', { email: 'New@Example.com', 'email-password': PASSWORD });
  t.is(asked.status, 200);
  const [mail] = await mailbox.received(1);
  t.deepEqual(mail?.to, ['new@example.com']);
  t.regex(textOf(await own.get('/account')), /You are jane@example\.com/);
  const path = linkIn(mail);
  const elsewhere = browser();
  t.regex(textOf(await elsewhere.get(path)), /you sign in as new@example\.com/);
  t.is((await elsewhere.post(path)).status, 303);
  t.regex(textOf(await own.get('/account')), /You are new@example\.com/);
  const mails = await mailbox.received(2);
  t.deepEqual(mails[1]?.to, ['jane@example.com']);
  t.notRegex(mails[1]?.text ?? '', /new@/);
  t.is((await browser().post('/sign-in', { email: 'jane@example.com', password: PASSWORD })).status, 403);
  t.is((await browser().post('/sign-in', { email: 'new@example.com', password: PASSWORD })).status, 303);
});

test('a change to an email with an account gets the same answer, and sends no mail', async (t) => {
  const { person, mailbox, browser } = await startAccountServer(t);
  const { browser: own } = await person('jane@example.com');
  await person('eve@example.com');
  await own.get('/account');
  const ask = (email: string) => own.post('/account/email', { email, 'email-password': PASSWORD });
  const [taken, free] = [await ask('eve@example.com'), await ask('free@example.com')];
  t.is(taken.body, free.body);
  const mails = await mailbox.received(1);
  await browser().get('/sign-in');
  t.deepEqual(
    mails.map(({ to }) => to[0]),
    ['free@example.com'],
  );
});

test('sessions are listed, and ended one by one or all others at once', async (t) => {
  const { person, signIn, records } = await startAccountServer(t);
  const { browser: own, accountId } = await person('jane@example.com');
  const others = [await signIn('jane@example.com'), await signIn('jane@example.com')];
  const page = await own.get('/account');
  t.is(page.body.match(/Sign out<\/button>/g)?.length, 3, 'two sessions and the corner');
  t.regex(textOf(page), /Another browser 127\.0\.0\.0\/24 .* This session/);
  const list = await records.sessions.list(accountId);
  const first = list.find(({ id }) => page.body.includes(`value="${id}"`));
  t.is((await own.post('/account/sessions', { end: first?.id ?? '' })).status, 303);
  t.is((await records.sessions.list(accountId)).length, 2);
  await own.post('/account/sessions', { end: 'others' });
  t.is((await records.sessions.list(accountId)).length, 1);
  for (const other of others) t.is((await other.get('/account')).status, 303);
  t.is((await own.get('/account')).status, 200);
});

test('a user cannot end a session of another account by its id', async (t) => {
  const { person, records } = await startAccountServer(t);
  const jane = await person('jane@example.com');
  const { browser: eve } = await person('eve@example.com', 'operator');
  const [session] = await records.sessions.list(jane.accountId);
  await eve.get('/account');
  await eve.post('/account/sessions', { end: session?.id ?? '' });
  t.is((await jane.browser.get('/account')).status, 200);
});

test('a removed role ends with the next request', async (t) => {
  const { person, records } = await startAccountServer(t);
  await person('op@example.com', 'operator');
  const { browser, accountId } = await person('jane@example.com', 'operator');
  t.regex(textOf(await browser.get('/account')), /an operator/);
  await records.users.setRole(accountId, 'member');
  t.regex(textOf(await browser.get('/account')), /a member/);
  await records.users.close(accountId);
  t.is((await browser.get('/account')).status, 303);
});

test('every form that changes data needs its token', async (t) => {
  const { person, url, setUpPath } = await startAccountServer(t, { registration: 'open' });
  const { browser, accountId } = await person('jane@example.com');
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const token = /name="csrf" value="([^"]*)"/.exec((await browser.get('/account')).body)?.[1] ?? '';
  const { browser: eve } = await person('eve@example.com');
  const foreign = /name="csrf" value="([^"]*)"/.exec((await eve.get('/account')).body)?.[1] ?? '';
  t.not(token, foreign);
  const paths = ['/sign-in', '/sign-out', '/forgotten', '/register', await setUpPath()];
  for (const path of [...paths, '/account/password', '/account/email', '/account/sessions']) {
    for (const [headers, body] of [
      [form, 'end=others'],
      [form, `csrf=${foreign}`],
      [form, `csrf[]=${token}`],
      [{ ...form, origin: 'https://evil.example' }, `csrf=${token}`],
      [{ ...form, origin: 'null' }, `csrf=${token}`],
      [{ ...form, 'sec-fetch-site': 'cross-site' }, `csrf=${token}`],
      [{ ...form, 'sec-fetch-site': 'same-site', origin: url }, `csrf=${token}`],
      [{ 'content-type': 'text/plain' }, `{"csrf":"${token}"}`],
      [{ 'content-type': 'application/json' }, `{"csrf":"${token}"}`],
      [{ 'content-type': 'multipart/form-data; boundary=x' }, `--x--`],
      [{}, `csrf=${token}`],
    ] as const) {
      const { status } = await browser.send({ method: 'POST', path, headers, body });
      t.is(status, 403, `${path} ${JSON.stringify(headers)} ${body}`);
    }
  }
  t.true(browser.cookies.has(COOKIE));
  t.is((await browser.get('/account')).status, 200);
  t.truthy(accountId);
});
