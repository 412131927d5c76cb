import test, { type ExecutionContext } from 'ava';
import type { AccountError } from '../../src/accounts/account-error.ts';
import { knownBrowserId } from '../../src/accounts/known-browser.ts';
import { cheapHash } from '../helpers/cheap-password.ts';
import { clientFrom } from './open-account-records.ts';
import { openAccountService, PASSWORD } from './open-account-service.ts';

const CLIENT = clientFrom('203.0.113.7');
const NEXT = 'another good password';

/** Jane, signed in twice. */
async function openSignedIn(t: ExecutionContext) {
  const opened = await openAccountService(t);
  const jane = await opened.user('jane@example.com', { hash: cheapHash(PASSWORD) });
  const open = async () => {
    const signedIn = await opened.service.sessions.open(jane, CLIENT);
    return (await opened.service.sessions.find(signedIn?.token ?? ''))?.session.id ?? '';
  };
  const [sessionId, other] = [await open(), await open()];
  const user = { accountId: jane.id, sessionId, name: jane.name, email: jane.email };
  const sessionIds = async () => (await opened.records.sessions.list(jane.id)).map(({ id }) => id);
  return { ...opened, jane, signedInUser: user, other, sessionIds };
}

test('a new password needs the current one, and ends the other sessions', async (t) => {
  const { service, signedInUser, sessionIds, records, jane, acts } = await openSignedIn(t);
  const change = (current: string, next: string) =>
    service.selfService.changePassword(signedInUser, { current, next }, CLIENT);
  t.deepEqual(await change('wrong', 'short'), {
    done: false,
    problems: {
      current: 'This is not your password.',
      next: 'The password is too short. Use at least 8 characters.',
    },
  });
  t.is((await sessionIds()).length, 2);
  const changed = await change(PASSWORD, NEXT);
  t.deepEqual(await sessionIds(), [signedInUser.sessionId]);
  const account = await records.accounts.find(jane.id);
  t.true(changed.done && knownBrowserId(changed.knownBrowser, account, 'a secret of the site') !== null);
  t.truthy(await service.signIn({ email: 'jane@example.com', password: NEXT }, CLIENT));
  t.deepEqual(
    (await acts()).map(({ act, actorName }) => `${act} by ${actorName}`),
    ['account.password_set by jane@example.com'],
  );
});

test('of two new passwords at once, one is chosen, and the session of the other has ended', async (t) => {
  const { service, signedInUser, other, sessionIds, acts } = await openSignedIn(t);
  const change = (sessionId: string, next: string) =>
    service.selfService.changePassword({ ...signedInUser, sessionId }, { current: PASSWORD, next }, CLIENT);
  const attempts = { [signedInUser.sessionId]: NEXT, [other]: 'the password of a thief' };
  const outcomes = await Promise.allSettled(
    Object.entries(attempts).map(([sessionId, next]) => change(sessionId, next)),
  );
  const [refused, ...others] = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason as AccountError] : [],
  );
  t.deepEqual(others, []);
  t.is(refused?.code, 'conflict');
  t.regex(refused?.message ?? '', /changed in another window/);
  const [left = '', ...none] = await sessionIds();
  t.deepEqual(none, []);
  t.truthy(await service.signIn({ email: 'jane@example.com', password: attempts[left] ?? '' }, CLIENT));
  t.is((await acts()).length, 1);
});

test('a new email needs the password and changes nothing before its link is opened', async (t) => {
  const { service, signedInUser, mails, records, acts } = await openSignedIn(t);
  const request = (email: string, password: string) =>
    service.selfService.requestEmailChange(signedInUser, { email, password }, CLIENT);
  t.like(await request('no email', 'wrong'), {
    done: false,
    problems: { password: 'This is not your password.' },
  });
  t.deepEqual(await request('New@Example.com', PASSWORD), { done: true });
  while (mails.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  t.is(mails[0]?.recipient, 'new@example.com');
  t.is(await records.users.findByEmail('new@example.com'), null);
  const token = /links\/([\w-]+)/.exec(mails[0]?.text ?? '')?.[1] ?? '';
  const link = await service.links.find(token);
  t.true(link !== null && (await service.links.confirmEmail(link, CLIENT)).done);
  t.truthy(await records.users.findByEmail('new@example.com'));
  t.is((await acts())[0]?.act, 'account.email_set');
  while (mails.length === 1) await new Promise((resolve) => setTimeout(resolve, 10));
  t.is(mails[1]?.recipient, 'jane@example.com', 'the former mailbox is informed');
});

test('users end only their own sessions', async (t) => {
  const { service, signedInUser, other, sessionIds, records, user, acts } = await openSignedIn(t);
  const john = await user('john@example.com');
  await records.sessions.create({ id: 'of john', accountId: john.id, browser: '', network: '' }, null);
  await service.selfService.endSession(signedInUser, 'of john');
  t.truthy(await records.sessions.find('of john'));
  t.deepEqual(await acts(), []);
  await service.selfService.endSession(signedInUser, other);
  t.deepEqual(await sessionIds(), [signedInUser.sessionId]);
  await service.selfService.endOtherSessions(signedInUser);
  t.is((await acts()).length, 1, 'an act that ended no session is not logged');
});
