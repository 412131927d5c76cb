import test from 'ava';
import { knownBrowserId } from '../../src/accounts/known-browser.ts';
import { createUserSessions } from '../../src/accounts/user-sessions.ts';
import { clientFrom, openAccountRecords } from './open-account-records.ts';

const SECRET = 'a secret of the site';

test('a session is found by its token, has its browser and network, and ends at once', async (t) => {
  const { records, user } = await openAccountRecords(t);
  const sessions = createUserSessions({ records, secret: SECRET });
  const jane = await user('jane@example.com', { hash: 'hash' });
  const signedIn = await sessions.open(jane, clientFrom('203.0.113.7'));
  const found = await sessions.find(signedIn?.token ?? '');
  t.like(found?.session, { browser: 'Firefox on Linux', network: '203.0.113.0/24' });
  t.is(found?.account.id, jane.id);
  t.is(knownBrowserId(signedIn?.knownBrowser ?? null, jane, SECRET), signedIn?.knownBrowser.browserId ?? '');
  await sessions.end({ sessionId: found?.session.id ?? '', accountId: jane.id });
  t.is(await sessions.find(signedIn?.token ?? ''), null);
});

test('a new session ends the old session of the browser, also of another account', async (t) => {
  const { records, user } = await openAccountRecords(t);
  const sessions = createUserSessions({ records, secret: SECRET });
  const jane = await user('jane@example.com', { hash: 'hash' });
  const john = await user('john@example.com', { hash: 'hash' });
  const first = await sessions.open(jane, clientFrom('203.0.113.7'));
  const found = await sessions.find(first?.token ?? '');
  const session = { sessionId: found?.session.id ?? '', accountId: jane.id };
  const second = await sessions.open(john, clientFrom('203.0.113.7', { session }));
  t.is(await sessions.find(first?.token ?? ''), null);
  t.is((await sessions.find(second?.token ?? ''))?.account.id, john.id);
});

test('no session opens if the password was changed during the sign-in', async (t) => {
  const { records, clock, user } = await openAccountRecords(t);
  const sessions = createUserSessions({ records, secret: SECRET });
  const jane = await user('jane@example.com', { hash: 'hash' });
  clock.now += 1;
  await records.users.changePassword({ accountId: jane.id, password: 'another', keepSession: '' });
  t.is(await sessions.open(jane, clientFrom('203.0.113.7')), null);
  t.deepEqual(await records.sessions.list(jane.id), []);
});

for (const [userAgent, browser] of [
  ['curl/8.5.0', 'A program'],
  ['Mozilla/5.0 (Windows NT 10.0) CallNow555/1.0', 'Another browser on Windows'],
  [null, 'Another browser'],
] as const) {
  test(`a session of ${userAgent ?? 'no user agent'} is shown as ${browser}`, async (t) => {
    const { records, user } = await openAccountRecords(t);
    const sessions = createUserSessions({ records, secret: SECRET });
    const jane = await user('jane@example.com', { hash: 'hash' });
    await sessions.open(jane, clientFrom('203.0.113.7', { userAgent }));
    t.is((await records.sessions.list(jane.id))[0]?.browser, browser);
  });
}
