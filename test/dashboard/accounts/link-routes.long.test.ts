import test from 'ava';
import { createPasswordLink } from '../../../src/accounts/account-links.ts';
import { MINUTE_MS, NOON, PASSWORD, startAccountServer } from './account-server.ts';
import { textOf } from './cookie-browser.ts';

const HOUR_MS = 60 * MINUTE_MS;

test('the set-up link creates the first operator with a password', async (t) => {
  const { browser, records, setUpPath } = await startAccountServer(t);
  const older = await setUpPath();
  const path = await setUpPath();
  t.is((await browser().get(older)).status, 410, 'only the newest link works');
  const visitor = browser();
  t.regex(textOf(await visitor.get(path)), /first account: an operator/);
  const mistyped = await visitor.post(path, { email: 'nonsense', password: 'short' });
  t.is(mistyped.status, 400);
  t.regex(textOf(mistyped), /not an email address.*too short/);
  const answer = await visitor.post(path, { email: 'Op@Example.com', password: PASSWORD, plan: 'unlimited' });
  t.like(answer, { status: 303, location: '/' });
  t.regex(textOf(await visitor.get('/account')), /You are op@example\.com , an operator on the plan hobby/);
  const [entry] = await records.audit.page({ before: null, limit: 1 });
  t.like(entry, {
    act: 'account.created',
    actorName: 'op@example.com',
    detail: { role: 'operator', plan: 'hobby' },
  });
  t.is((await browser().get(path)).status, 410);
});

test('opening a link does not use it up, and used, expired and forged links get the same page', async (t) => {
  const { records, url, browser, clock, log } = await startAccountServer(t);
  const { id } = await records.users.invite({ email: 'jane@example.com', role: 'member', plan: 'hobby' });
  const linkFor = async (kind: 'set-up' | 'password-reset') => {
    const owner = { id, email: 'jane@example.com' };
    return new URL(await createPasswordLink(records, owner, { kind, publicUrl: url })).pathname;
  };
  const path = await linkFor('set-up');
  for (let i = 0; i < 3; i++) t.is((await browser().get(path)).status, 200);
  t.is((await browser().send({ method: 'HEAD', path })).status, 200);
  t.is((await browser().post(path, { password: PASSWORD })).status, 303);

  const expired = await linkFor('password-reset');
  clock.now += HOUR_MS;
  const closed = [
    path,
    expired,
    `/links/${'A'.repeat(43)}`,
    '/links/x',
    '/links/%00',
    `/links/${'A'.repeat(5_000)}`,
  ];
  const answers = await Promise.all(closed.map((link) => browser().get(link)));
  t.deepEqual([...new Set(answers.map(({ status }) => status))], [410]);
  t.is(new Set(answers.map(({ body }) => body)).size, 1);
  t.is((await browser().post(expired, { password: PASSWORD })).status, 410);
  t.false(
    log.some((line) => line.includes(path) || line.includes(expired)),
    'the log has no link',
  );
  t.is(clock.now, NOON + HOUR_MS);
});

test('of fifty uses of one link at once exactly one succeeds', async (t) => {
  const { records, url, browser, person } = await startAccountServer(t);
  const { accountId } = await person('jane@example.com');
  const owner = { id: accountId, email: 'jane@example.com' };
  const link = await createPasswordLink(records, owner, { kind: 'password-reset', publicUrl: url });
  const { pathname } = new URL(link);
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, i) => browser().post(pathname, { password: `${PASSWORD} ${i}` })),
  );
  const statuses = answers.map(({ status }) => status);
  t.is(statuses.filter((status) => status === 303).length, 1);
  // Requests beyond the hash queue get 503; a retry finds the link used up.
  t.true(statuses.every((status) => [303, 410, 503].includes(status)));
  t.is((await records.sessions.list(accountId)).length, 1);
});

test('a new password by link ends every session, resets the throttle, and voids the other links', async (t) => {
  const { records, url, browser, person } = await startAccountServer(t);
  const { accountId, browser: thief } = await person('jane@example.com');
  const linkNow = () =>
    createPasswordLink(
      records,
      { id: accountId, email: 'jane@example.com' },
      { kind: 'password-reset', publicUrl: url },
    );
  const [path, other] = [new URL(await linkNow()).pathname, new URL(await linkNow()).pathname];
  await Promise.all(
    Array.from({ length: 10 }, () =>
      browser().post('/sign-in', { email: 'jane@example.com', password: 'wrong' }),
    ),
  );
  const owner = browser();
  t.is((await owner.post(path, { password: 'another password' })).status, 303);
  t.is((await owner.get('/account')).status, 200);
  t.is((await thief.get('/account')).status, 303);
  t.is((await browser().post(other, { password: PASSWORD })).status, 410);
  const again = await browser().post('/sign-in', { email: 'jane@example.com', password: 'another password' });
  t.is(again.status, 303);
});

test('passwords of eight to hundreds of characters are accepted; shorter, trivial and huge passwords are refused', async (t) => {
  const { setUpPath, browser } = await startAccountServer(t);
  const path = await setUpPath();
  for (const [password, status] of [
    ['1234567', 400],
    ['        ', 400],
    ['aaaaaaaaaaaa', 400],
    ['😀😁😂😃', 400],
    ['op@example.com', 400],
    ['x'.repeat(4_097), 413],
    ['y'.repeat(1_000_000), 413],
  ] as const) {
    t.is((await browser().post(path, { email: 'op@example.com', password })).status, status);
  }
  const long = 'tr0ub4dor and more '.repeat(20);
  const visitor = browser();
  t.is((await visitor.post(path, { email: 'op@example.com', password: long })).status, 303);
  const cut = { email: 'op@example.com', password: long.slice(0, 72) };
  t.is((await browser().post('/sign-in', cut)).status, 403, 'nothing of a long password is cut');
  t.is((await browser().post('/sign-in', { ...cut, password: long })).status, 303);
});
