import anyTest, { type ExecutionContext, type TestFn } from 'ava';
import type { Storage } from '../../../src/storage/storage.ts';
import { NOON } from '../decisions/decision-fixture.ts';
import type { OpenAgain, PrepareStorage } from '../prepare-storage.ts';

const test = anyTest as TestFn;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const UNKNOWN = { isKnownBrowser: false };
const WRONG = { step: null, ...UNKNOWN };

async function userWith(records: Storage, email = 'jane@example.com') {
  const { id } = await records.users.invite({ email, role: 'member', plan: 'hobby' });
  const open = (session: string, since: number | null = null) =>
    records.sessions.create({ id: session, accountId: id, browser: '', network: '' }, null, since);
  const turnOn = async (sealedSecret = 'sealed') => {
    await records.twoFactor.beginSetUp({
      accountId: id,
      sessionId: 'own',
      sealedSecret,
      lifetimeMs: HOUR_MS,
    });
    return records.twoFactor.turnOn({
      ...{ accountId: id, sessionId: 'own', sealedSecret, step: 100, recoveryCodes: ['one', 'two'] },
    });
  };
  return { id, open, turnOn };
}

/** Second factors, recovery codes and waiting sign-ins. */
export function testTwoFactor(engine: string, prepare: PrepareStorage): void {
  const contract = (
    title: string,
    run: (t: ExecutionContext, records: Storage, open: OpenAgain) => Promise<void>,
  ) =>
    test(`${engine}: ${title}`, async (t) => {
      const open = await prepare(t);
      await run(t, await open(() => NOON), open);
    });

  contract('turning two-factor on ends the other sessions and marks the account', async (t, records) => {
    const { id, open, turnOn } = await userWith(records);
    await open('own');
    await open('thief');
    t.is(await records.twoFactor.find(id), null);
    t.true(await turnOn());
    t.deepEqual(await records.twoFactor.find(id), { sealedSecret: 'sealed', recoveryCodesLeft: 2 });
    t.is((await records.sessions.find('own'))?.account.twoFactorSince, NOON);
    t.is(await records.sessions.find('thief'), null);
    t.is(await records.twoFactor.findSetUp(id, 'own'), null, 'the set-up is used up');
    t.false(await turnOn('another'), 'it is on already');
    t.is((await records.twoFactor.find(id))?.sealedSecret, 'sealed');
  });

  contract('a session of a password alone cannot open once two-factor is on', async (t, records) => {
    const { open, turnOn } = await userWith(records);
    await turnOn();
    t.is(await open('late'), null);
    t.truthy(await open('checked', NOON));
  });

  contract('a set-up belongs to one session, and expires', async (t, records, again) => {
    const { id } = await userWith(records);
    const setUp = { accountId: id, sessionId: 'own', sealedSecret: 'sealed', lifetimeMs: HOUR_MS };
    await records.twoFactor.beginSetUp(setUp);
    t.is(await records.twoFactor.findSetUp(id, 'own'), 'sealed');
    t.is(await records.twoFactor.findSetUp(id, 'thief'), null);
    const change = { accountId: id, sealedSecret: 'sealed', step: 1, recoveryCodes: ['one'] };
    t.false(await records.twoFactor.turnOn({ ...change, sessionId: 'thief' }));
    const later = await again(() => NOON + HOUR_MS);
    t.is(await later.twoFactor.findSetUp(id, 'own'), null);
    t.false(await later.twoFactor.turnOn({ ...change, sessionId: 'own' }));
    await records.twoFactor.beginSetUp({ ...setUp, sealedSecret: 'second' });
    t.false(await records.twoFactor.turnOn({ ...change, sessionId: 'own' }), 'the first one is replaced');
    t.is((await records.accounts.find(id))?.twoFactorSince, null);
  });

  contract('a step is taken once, and earlier steps are used up with it', async (t, records) => {
    const { id, turnOn } = await userWith(records);
    await turnOn();
    const take = (step: number) => records.twoFactor.takeCode(id, { step, ...UNKNOWN });
    t.false((await take(100)).taken, 'the code of the set-up');
    t.true((await take(102)).taken);
    t.false((await take(102)).taken);
    t.false((await take(101)).taken);
    t.true((await take(103)).taken);
  });

  contract(
    'of many uses of one code at once, from two processes, one is taken',
    async (t, records, again) => {
      const { id, turnOn } = await userWith(records);
      await turnOn();
      const other = await again(() => NOON);
      const outcomes = await Promise.all(
        Array.from({ length: 10 }, (_, i) =>
          (i % 2 === 0 ? records : other).twoFactor.takeCode(id, { step: 102, ...UNKNOWN }),
        ),
      );
      t.is(outcomes.filter(({ taken }) => taken).length, 1);
      const codes = await Promise.all(
        [records, other].map(({ twoFactor }) => twoFactor.takeRecoveryCode(id, 'one')),
      );
      t.deepEqual(codes.sort(), [false, true]);
      t.is((await records.twoFactor.find(id))?.recoveryCodesLeft, 1);
    },
  );

  contract(
    'wrong codes are limited for a day over all processes; known browsers count apart',
    async (t, records, again) => {
      const { id, turnOn } = await userWith(records);
      await turnOn();
      const other = await again(() => NOON + HOUR_MS);
      for (let i = 0; i < 20; i++) {
        t.deepEqual(await (i % 2 === 0 ? records : other).twoFactor.takeCode(id, WRONG), {
          taken: false,
          waitMs: 0,
        });
      }
      const right = { step: 102, isKnownBrowser: false };
      t.deepEqual(await other.twoFactor.takeCode(id, right), { taken: false, waitMs: 23 * HOUR_MS });
      t.true((await other.twoFactor.takeCode(id, { ...right, isKnownBrowser: true })).taken);
      t.true(await other.twoFactor.takeRecoveryCode(id, 'one'), 'recovery codes have no such limit');
      const tomorrow = await again(() => NOON + DAY_MS);
      t.true((await tomorrow.twoFactor.takeCode(id, { step: 3_000, isKnownBrowser: false })).taken);
    },
  );

  contract('a set of recovery codes replaces the earlier one', async (t, records) => {
    const { id, turnOn } = await userWith(records);
    t.false(await records.twoFactor.replaceRecoveryCodes(id, ['three']), 'two-factor is off');
    await turnOn();
    t.true(await records.twoFactor.replaceRecoveryCodes(id, ['three']));
    t.false(await records.twoFactor.takeRecoveryCode(id, 'one'));
    t.true(await records.twoFactor.takeRecoveryCode(id, 'three'));
    t.false(await records.twoFactor.takeRecoveryCode(id, 'three'));
  });

  contract('turning two-factor off, or closing the account, leaves nothing of it', async (t, records) => {
    for (const [email, end] of [
      ['off@example.com', (id: string) => records.twoFactor.turnOff(id)],
      ['closed@example.com', (id: string) => records.users.close(id)],
    ] as const) {
      const { id, turnOn } = await userWith(records, email);
      await turnOn();
      const account = await records.accounts.find(id);
      if (!account) return t.fail();
      await records.pendingSignIns.create({ id: email, account, lifetimeMs: HOUR_MS });
      t.true(await end(id));
      t.is(await records.twoFactor.find(id), null);
      t.is((await records.accounts.find(id))?.twoFactorSince, null);
      t.false(await records.twoFactor.takeRecoveryCode(id, 'one'));
      t.is(await records.pendingSignIns.find(email), null);
      t.false(await records.twoFactor.turnOff(id));
    }
  });

  contract(
    'a waiting sign-in is used once, expires, and ends with a new password',
    async (t, records, again) => {
      const { id } = await userWith(records);
      const account = await records.accounts.find(id);
      if (!account) return t.fail();
      const wait = (name: string) =>
        records.pendingSignIns.create({ id: name, account, lifetimeMs: HOUR_MS });
      await wait('one');
      t.is((await records.pendingSignIns.find('one'))?.id, id);
      t.is(await records.sessions.find('one'), null, 'it is no session');
      t.true(await records.pendingSignIns.end('one'));
      t.false(await records.pendingSignIns.end('one'));
      await wait('two');
      const later = await again(() => NOON + HOUR_MS);
      t.is(await later.pendingSignIns.find('two'), null);
      t.is(await later.sessions.deleteExpired(), 1);
      await wait('three');
      await records.users.changePassword({ accountId: id, password: 'new', keepSession: '' });
      t.is(await records.pendingSignIns.find('three'), null);
    },
  );

  contract(
    'an account has at most twenty waiting sign-ins: the oldest give way',
    async (t, _records, again) => {
      const first = await again(() => NOON);
      const { id } = await userWith(first);
      const account = await first.accounts.find(id);
      if (!account) return t.fail();
      for (let i = 0; i < 22; i++) {
        const then = await again(() => NOON + i);
        await then.pendingSignIns.create({ id: `sign-in ${i}`, account, lifetimeMs: HOUR_MS });
      }
      const found = await Promise.all(
        Array.from({ length: 22 }, (_, i) => first.pendingSignIns.find(`sign-in ${i}`)),
      );
      t.deepEqual(
        found.map((pending) => pending !== null),
        Array.from({ length: 22 }, (_, i) => i >= 2),
      );
    },
  );
}
