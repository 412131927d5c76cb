import test from 'ava';
import { PASSWORD, startAccountServer } from '../account-server.ts';
import { textOf } from '../cookie-browser.ts';
import { keyIn, recoveryCodesIn, STEP_MS, twoFactorUser } from './two-factor-user.ts';

const PATH = '/account/two-factor';
const EMAIL = 'jane@example.com';

test('setting up needs a code of the app and the password, and ends the other sessions', async (t) => {
  const server = await startAccountServer(t);
  const { browser, accountId } = await server.person(EMAIL);
  const other = await server.signIn(EMAIL);
  t.is(keyIn((await browser.get(PATH)).body), '', 'opening the page makes no secret');
  await browser.post(`${PATH}/begin`);
  const page = await browser.get(PATH);
  t.regex(keyIn(page.body), /^[A-Z2-7]{32}$/);
  t.regex(page.body, /<svg class="qr-code"/);
  t.is(keyIn((await browser.get(PATH)).body), keyIn(page.body), 'a reload shows the same key');
  t.is(keyIn((await other.get(PATH)).body), '', 'another session does not see it');
  t.is((await server.signIn(EMAIL)).cookies.has('gatekeeper_session'), true, 'not active yet');

  const wrong = await browser.post(`${PATH}/on`, { code: '000000', password: 'wrong' });
  t.is(wrong.status, 403);
  t.regex(textOf(wrong), /This code is wrong .* This is not your password/);
  t.is((await server.records.sessions.list(accountId)).length, 3);
  const jane = await twoFactorUser(t, server, 'john@example.com');
  t.is(jane.recoveryCodes.length, 10);
  t.is((await jane.browser.get(PATH)).body.includes(jane.recoveryCodes[0] ?? '?'), false, 'shown once');
  t.is((await server.records.sessions.list(jane.accountId)).length, 1);
  t.deepEqual(
    (await server.records.audit.page({ before: null, limit: 1 })).map(({ act }) => act),
    ['two_factor.turned_on'],
  );
});

test('the secret is stored encrypted, and the recovery codes as hashes', async (t) => {
  const server = await startAccountServer(t);
  const jane = await twoFactorUser(t, server, EMAIL);
  const stored = await server.records.twoFactor.find(jane.accountId);
  t.false(stored?.sealedSecret.includes(jane.secret));
  t.false(await server.records.twoFactor.takeRecoveryCode(jane.accountId, jane.recoveryCodes[0] ?? ''));
});

test('a second set-up in another window replaces the first', async (t) => {
  const server = await startAccountServer(t);
  const { browser } = await server.person(EMAIL);
  await browser.get(PATH);
  await browser.post(`${PATH}/begin`);
  const first = keyIn((await browser.get(PATH)).body);
  await browser.post(`${PATH}/begin`);
  t.not(keyIn((await browser.get(PATH)).body), first);
});

test('new recovery codes need the password and a code that was not used, and replace the old ones', async (t) => {
  const server = await startAccountServer(t);
  const jane = await twoFactorUser(t, server, EMAIL);
  const make = (password: string, code: string) =>
    jane.browser.post(`${PATH}/recovery-codes`, { 'codes-password': password, 'codes-code': code });
  t.is((await make('wrong', jane.code())).status, 403);
  // Otherwise the password alone would make the codes that turn two-factor off.
  for (const code of ['', '000000', jane.code(-2)]) {
    const refused = await make(PASSWORD, code);
    t.is(refused.status, 403, code);
    t.deepEqual(recoveryCodesIn(refused.body), []);
  }
  const made = await make(PASSWORD, jane.code());
  const codes = recoveryCodesIn(made.body);
  t.is(codes.length, 10);
  const waiting = await jane.waiting();
  t.is(
    (await waiting.post('/sign-in/second-step', { 'recovery-code': jane.recoveryCodes[0] ?? '' })).status,
    403,
  );
  t.is((await waiting.post('/sign-in/second-step', { 'recovery-code': codes[0] ?? '' })).status, 303);
});

test('turning off needs the password and a code that was not used', async (t) => {
  const server = await startAccountServer(t);
  const jane = await twoFactorUser(t, server, EMAIL);
  const off = (fields: Record<string, string>) => jane.browser.post(`${PATH}/off`, fields);
  t.is((await off({ 'off-password': PASSWORD, 'off-code': '000000' })).status, 403);
  t.is((await off({ 'off-password': 'wrong', 'off-code': jane.code() })).status, 403);
  const waiting = await jane.waiting();
  const used = jane.code();
  await waiting.post('/sign-in/second-step', { code: used });
  t.is((await off({ 'off-password': PASSWORD, 'off-code': used })).status, 403);
  server.clock.now += STEP_MS;
  t.like(await off({ 'off-password': PASSWORD, 'off-code': jane.code() }), {
    status: 303,
    location: `${PATH}?done=off`,
  });
  const signedIn = await server.signIn(EMAIL);
  t.is((await signedIn.get('/account')).status, 200);
});

test('a recovery code also turns off', async (t) => {
  const server = await startAccountServer(t);
  const jane = await twoFactorUser(t, server, EMAIL);
  const fields = { 'off-password': PASSWORD, 'off-code': jane.recoveryCodes[3] ?? '' };
  t.is((await jane.browser.post(`${PATH}/off`, fields)).status, 303);
});

test('the forms need the token of the session', async (t) => {
  const server = await startAccountServer(t);
  const jane = await twoFactorUser(t, server, EMAIL);
  for (const path of ['begin', 'on', 'off', 'recovery-codes']) {
    const answer = await jane.browser.send({
      ...{ method: 'POST', path: `${PATH}/${path}`, body: 'csrf=wrong' },
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    t.is(answer.status, 403, path);
  }
});

test('an operator removes the second factor of another user, who gets a mail; not the own one', async (t) => {
  const server = await startAccountServer(t);
  const jane = await twoFactorUser(t, server, EMAIL);
  const operator = await twoFactorUser(t, server, 'op@example.com', 'operator');
  t.is(
    (await jane.browser.post(`/accounts/${operator.accountId}/remove-two-factor`)).status,
    404,
    'a member',
  );
  t.is((await operator.browser.post(`/accounts/${operator.accountId}/remove-two-factor`)).status, 409);
  const done = await operator.browser.post(`/accounts/${jane.accountId}/remove-two-factor`);
  t.like(done, { status: 303, location: `/accounts/${jane.accountId}?done=two-factor` });
  t.is((await jane.browser.get('/account')).status, 303, 'sessions end');
  t.is((await (await server.signIn(EMAIL)).get('/account')).status, 200, 'the password alone signs in');
  const [mail] = await server.mailbox.received(1);
  t.deepEqual(mail?.to, [EMAIL]);
  t.regex(mail?.text ?? '', /An operator removed the second factor/);
  const [entry] = await server.records.audit.page({ before: null, limit: 1 });
  t.like(entry, { act: 'two_factor.removed', actorName: 'op@example.com', subject: EMAIL });
  t.is((await operator.browser.post(`/accounts/${jane.accountId}/remove-two-factor`)).status, 409, 'once');
});

test('where two-factor is required, no other page opens before it is set up', async (t) => {
  const server = await startAccountServer(t, { require_two_factor: true });
  const { browser } = await server.person(EMAIL);
  for (const path of ['/', '/overview', '/account', '/keys', '/decisions', '/nowhere']) {
    t.like(await browser.get(path), { status: 303, location: PATH }, path);
  }
  await browser.get(PATH);
  for (const path of ['/account/password', '/keys', '/account/sessions']) {
    t.like(await browser.post(path), { status: 303, location: PATH }, path);
  }
  t.regex(textOf(await browser.get(PATH)), /Two-factor is required here/);
  const jane = await twoFactorUser(t, server, 'john@example.com');
  t.is((await jane.browser.get('/account')).status, 200);
  await browser.get(PATH);
  t.like(await browser.post('/sign-out'), { status: 303, location: '/sign-in' });
});
