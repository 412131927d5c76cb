import anyTest, { type ExecutionContext, type TestFn } from 'ava';
import type { NewPasskey, PasskeyUse } from '../../../src/storage/accounts/passkey-store.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { NOON } from '../decisions/decision-fixture.ts';
import type { OpenAgain, PrepareStorage } from '../prepare-storage.ts';

const test = anyTest as TestFn;
const MINUTE_MS = 60_000;

function passkeyOf(accountId: string, id = 'key', name = 'phone'): NewPasskey {
  return { id, accountId, publicKey: 'cose', counter: 7, transports: ['internal', 'hybrid'], name };
}

/** A second before noon, when its challenge was issued. */
function useOf(before: number, after: number, challengeAt = NOON - 1_000): PasskeyUse {
  return { before, after, challengeAt, lifetimeMs: 5 * MINUTE_MS };
}

/** The account of a new session. */
async function signIn({ users, sessions }: Storage, sessionId: string): Promise<string> {
  const { id } = await users.invite({ email: `${sessionId}@example.com`, role: 'member', plan: 'hobby' });
  await sessions.create({ id: sessionId, accountId: id, browser: '', network: '' }, null);
  return id;
}

/** Passkeys and their challenges. */
export function testPasskeys(engine: string, prepare: PrepareStorage): void {
  const contract = (
    title: string,
    run: (t: ExecutionContext, records: Storage, open: OpenAgain) => Promise<void>,
  ) =>
    test(`${engine}: ${title}`, async (t) => {
      const open = await prepare(t);
      await run(t, await open(() => NOON), open);
    });

  contract(
    'a challenge is used once, by the session that it is for, within its time',
    async (t, records, again) => {
      const other = await again(() => NOON);
      await signIn(records, 'own');
      const make = (id: string) =>
        records.passkeys.createChallenge({ id, sessionId: 'own', lifetimeMs: MINUTE_MS });
      await make('of a session');
      t.false(await records.passkeys.useChallenge('of a session', 'thief'));
      const uses = [records, other].map(({ passkeys }) => passkeys.useChallenge('of a session', 'own'));
      t.deepEqual((await Promise.all(uses)).sort(), [false, true]);
      await make('for a minute');
      const later = await again(() => NOON + MINUTE_MS);
      t.false(await later.passkeys.useChallenge('for a minute', 'own'));
      t.true(await other.passkeys.useChallenge('for a minute', 'own'));
    },
  );

  contract(
    'a session has five challenges at most, and takes the room of no other',
    async (t, records, open) => {
      let now = NOON;
      const { passkeys } = await open(() => now);
      await signIn(records, 'own');
      await signIn(records, 'other');
      await passkeys.createChallenge({ id: 'of another', sessionId: 'other', lifetimeMs: MINUTE_MS });
      for (let i = 0; i < 7; i++) {
        now++;
        await passkeys.createChallenge({ id: `${i}`, sessionId: 'own', lifetimeMs: MINUTE_MS });
      }
      const used = [];
      for (let i = 0; i < 7; i++) used.push(await passkeys.useChallenge(`${i}`, 'own'));
      t.deepEqual(used, [false, false, true, true, true, true, true]);
      t.true(await passkeys.useChallenge('of another', 'other'));
    },
  );

  contract('challenges of ended sessions give their room back', async (t, records) => {
    const accountId = await signIn(records, 'ended');
    await records.passkeys.createChallenge({ id: 'first', sessionId: 'ended', lifetimeMs: MINUTE_MS });
    await records.sessions.end('ended', accountId);
    await signIn(records, 'own');
    await records.passkeys.createChallenge({ id: 'second', sessionId: 'own', lifetimeMs: MINUTE_MS });
    t.false(await records.passkeys.useChallenge('first', 'ended'));
    t.true(await records.passkeys.useChallenge('second', 'own'));
  });

  contract('a passkey is found with its account, and belongs to one', async (t, records) => {
    const jane = await records.users.invite({ email: 'jane@example.com', role: 'member', plan: 'hobby' });
    const john = await records.users.invite({ email: 'john@example.com', role: 'member', plan: 'hobby' });
    t.true(await records.passkeys.add(passkeyOf(jane.id)));
    t.false(await records.passkeys.add(passkeyOf(john.id)), 'the same credential');
    const found = await records.passkeys.find('key');
    t.is(found?.account.id, jane.id);
    t.deepEqual(found?.passkey, { ...passkeyOf(jane.id), createdAt: NOON, lastUsedAt: null });
    t.is(await records.passkeys.remove('key', john.id), null);
    t.is((await records.passkeys.remove('key', jane.id))?.name, 'phone');
    t.is(await records.passkeys.find('key'), null);
  });

  contract('of two sign-ins with one counter at once, one is noted', async (t, records, again) => {
    const { id } = await records.users.invite({ email: 'jane@example.com', role: 'member', plan: 'hobby' });
    await records.passkeys.add(passkeyOf(id));
    const other = await again(() => NOON);
    const uses = [records, other].map(({ passkeys }) => passkeys.markUsed('key', useOf(7, 8)));
    t.deepEqual((await Promise.all(uses)).sort(), [false, true]);
    t.like((await records.passkeys.find('key'))?.passkey, { counter: 8, lastUsedAt: NOON });
    await records.passkeys.remove('key', id);
    t.false(await records.passkeys.markUsed('key', useOf(8, 9)), 'removed');
  });

  contract(
    'of two sign-ins with one challenge at once, one is noted, and neither again',
    async (t, records, again) => {
      const { id } = await records.users.invite({ email: 'jane@example.com', role: 'member', plan: 'hobby' });
      await records.passkeys.add({ ...passkeyOf(id), counter: 0 });
      const other = await again(() => NOON);
      // A synced passkey does not count.
      const uses = [records, other].map(({ passkeys }) => passkeys.markUsed('key', useOf(0, 0)));
      t.deepEqual((await Promise.all(uses)).sort(), [false, true]);
      t.false(await records.passkeys.markUsed('key', useOf(0, 0, NOON)), 'issued before the last sign-in');
      const later = await again(() => NOON + 10);
      t.true(await later.passkeys.markUsed('key', useOf(0, 0, NOON + 1)));
    },
  );

  contract('a sign-in under a clock that was ahead locks no passkey', async (t, records, again) => {
    const { id } = await records.users.invite({ email: 'jane@example.com', role: 'member', plan: 'hobby' });
    await records.passkeys.add({ ...passkeyOf(id), counter: 0 });
    const ahead = await again(() => NOON + 60 * MINUTE_MS);
    t.true(await ahead.passkeys.markUsed('key', useOf(0, 0, NOON + 59 * MINUTE_MS)));
    t.true(await records.passkeys.markUsed('key', useOf(0, 0)));
  });

  contract('an account has ten passkeys at most, and loses them when it is closed', async (t, records) => {
    const { id } = await records.users.invite({ email: 'jane@example.com', role: 'member', plan: 'hobby' });
    const added = [];
    for (let i = 0; i < 11; i++) added.push(await records.passkeys.add(passkeyOf(id, `key ${i}`)));
    t.deepEqual(added, [...Array(10).fill(true), false]);
    await records.users.close(id);
    t.deepEqual(await records.passkeys.list(id), []);
  });

  contract('a session says whether a passkey opened it', async (t, records) => {
    const { id } = await records.users.invite({ email: 'jane@example.com', role: 'member', plan: 'hobby' });
    const session = { accountId: id, browser: '', network: '' };
    await records.sessions.create({ ...session, id: 'by password' }, null);
    await records.sessions.create({ ...session, id: 'by passkey', byPasskey: true }, null);
    t.false((await records.sessions.find('by password'))?.session.byPasskey);
    t.true((await records.sessions.find('by passkey'))?.session.byPasskey);
  });
}
