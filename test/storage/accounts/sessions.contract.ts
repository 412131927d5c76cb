import { NOON } from '../decisions/decision-fixture.ts';
import type { PrepareStorage } from '../prepare-storage.ts';
import { contractOf, jane, sessionOf, tokenWith } from './account-fixture.ts';

const DAY_MS = 86_400_000;

/** Sessions of users. */
export function testSessions(engine: string, prepare: PrepareStorage): void {
  const contract = contractOf(engine, prepare);

  contract('a session is found until it ends, in every process at once', async (t, records, open) => {
    const other = await open(() => NOON);
    const { id } = await records.users.invite(jane);
    const session = await records.sessions.create(sessionOf(id, 'one'), null);
    t.is(session?.expiresAt, NOON + 7 * DAY_MS);
    const found = await other.sessions.find('one');
    t.deepEqual(found?.session ?? null, session);
    t.like(found?.account, { id, lastSignedInAt: NOON });
    t.false(await records.sessions.end('one', 'another account'));
    t.true(await records.sessions.end('one', id));
    t.is(await other.sessions.find('one'), null);
  });

  contract('a used session is extended, an unused one ends after a week', async (t, records, open) => {
    const { id } = await records.users.invite(jane);
    await records.sessions.create(sessionOf(id, 'used'), null);
    await records.sessions.create(sessionOf(id, 'unused'), null);
    const later = await open(() => NOON + 6 * DAY_MS);
    t.is((await later.sessions.find('used'))?.session.expiresAt, NOON + 13 * DAY_MS);
    const afterAWeek = await open(() => NOON + 7 * DAY_MS);
    t.is(await afterAWeek.sessions.find('unused'), null);
    t.truthy(await afterAWeek.sessions.find('used'));
    t.deepEqual(
      (await afterAWeek.sessions.list(id)).map((session) => session.id),
      ['used'],
    );
    t.is(await afterAWeek.sessions.deleteExpired(), 1);
  });

  contract('no use keeps a session for more than thirty days', async (t, records, open) => {
    const { id } = await records.users.invite(jane);
    await records.sessions.create(sessionOf(id, 'one'), null);
    for (let day = 5; day < 30; day += 5) {
      const later = await open(() => NOON + day * DAY_MS);
      t.truthy(await later.sessions.find('one'));
    }
    t.is(await (await open(() => NOON + 30 * DAY_MS)).sessions.find('one'), null);
  });

  contract('an account has fifty sessions, and its newest always', async (t, records, open) => {
    const { id } = await records.users.invite(jane);
    for (let i = 0; i < 52; i++) {
      const then = await open(() => NOON + i);
      await then.sessions.create(sessionOf(id, `session ${i}`), null);
    }
    const left = (await records.sessions.list(id)).map((session) => session.id);
    t.is(left.length, 50);
    t.is(left[0], 'session 51');
    t.false(left.includes('session 1'));
  });

  contract('a changed password ends the other sessions and every mailed link', async (t, records) => {
    const { id } = await records.users.invite(jane);
    for (const name of ['mine', 'thief']) await records.sessions.create(sessionOf(id, name), null);
    await records.accountTokens.create(tokenWith({ kind: 'password-reset', accountId: id }));
    await records.users.changePassword({ accountId: id, password: 'new', keepSession: 'mine' });
    t.truthy(await records.sessions.find('mine'));
    t.is(await records.sessions.find('thief'), null);
    t.is(await records.accountTokens.find('token'), null);
    t.is((await records.users.findByEmail(jane.email))?.passwordChangedAt, NOON);
    t.is(await records.sessions.create(sessionOf(id, 'late'), null), null, 'signed in with the old password');
    t.truthy(await records.sessions.create(sessionOf(id, 'new'), NOON));
  });

  contract('a password chosen by a link ends all sessions', async (t, records) => {
    const { id } = await records.users.invite(jane);
    await records.sessions.create(sessionOf(id, 'thief'), null);
    await records.accountTokens.create(tokenWith({ kind: 'password-reset', accountId: id }));
    await records.accountTokens.create(tokenWith({ id: 'twin', kind: 'password-reset', accountId: id }));
    t.true((await records.accountTokens.choosePassword({ id: 'token', password: 'new' })).done);
    t.is(await records.sessions.find('thief'), null);
    t.false((await records.accountTokens.choosePassword({ id: 'twin', password: 'other' })).done);
  });
}
