import anyTest, { type ExecutionContext, type TestFn } from 'ava';
import type { NewAccountToken } from '../../../src/storage/accounts/account-token-store.ts';
import type { NewSession } from '../../../src/storage/accounts/session-store.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { StorageConflictError } from '../../../src/storage/storage-error.ts';
import { NOON } from '../decisions/decision-fixture.ts';
import type { OpenAgain, PrepareStorage } from '../prepare-storage.ts';

const test = anyTest as TestFn;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const jane = { email: 'jane@example.com', role: 'member', plan: 'hobby' } as const;
const mail = {
  keys: { mailbox: 'jane', origin: 'home' },
  budgets: { mailbox: 2, origin: 20, site: 1_000 },
};

function tokenWith(changes: Partial<NewAccountToken> = {}): NewAccountToken {
  return {
    ...{ id: 'token', kind: 'registration', accountId: null, email: jane.email, lifetimeMs: HOUR_MS },
    ...changes,
  };
}

function sessionOf(accountId: string, id: string): NewSession {
  return { id, accountId, browser: 'Firefox on Linux', network: '203.0.113.0/24' };
}

/**
 * Of fifty uses of one link at once, one counts: from as many processes as write. Two wait for each other's lock, which
 * takes seconds.
 */
export function testLinkUsedAtOnce(engine: string, prepare: PrepareStorage, writers: 1 | 2): void {
  test(`${engine}: of fifty uses of one link at once, one counts`, async (t) => {
    const open = await prepare(t);
    const records = await open(() => NOON);
    const other = writers === 1 ? records : await open(() => NOON);
    await records.accountTokens.create(tokenWith());
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        (i % 2 === 0 ? records : other).accountTokens.register({
          ...{ id: 'token', password: `hash ${i}`, plan: 'hobby' },
        }),
      ),
    );
    t.is(outcomes.filter(({ done }) => done).length, 1);
    t.true(outcomes.every((outcome) => outcome.done || outcome.because === 'closed'));
    t.is((await records.users.list({ after: null, limit: 10 })).length, 1);
  });
}

/** Accounts, users, sessions and links. */
export function testAccounts(engine: string, prepare: PrepareStorage): void {
  const contract = (
    title: string,
    run: (t: ExecutionContext, records: Storage, open: OpenAgain) => Promise<void>,
  ) =>
    test(`${engine}: ${title}`, async (t) => {
      const open = await prepare(t);
      await run(t, await open(() => NOON), open);
    });

  contract('an account is found by id and by name, once made', async (t, _records, open) => {
    const { accounts } = await open(() => NOON);
    const made = await accounts.create({ name: 'shop', plan: 'hobby' });
    t.is(made.createdAt, NOON);
    t.deepEqual(await accounts.find(made.id), made);
    t.deepEqual(await accounts.findByName('shop'), made);
    t.is(await accounts.find('unknown'), null);
    await accounts.setPlan(made.id, 'pro');
    t.is((await accounts.find(made.id))?.plan, 'pro');
    await t.throwsAsync(accounts.create({ name: 'shop', plan: 'hobby' }), {
      instanceOf: StorageConflictError,
    });
  });

  contract('accounts are paged by name, and found by a part of it', async (t, _records, open) => {
    const { accounts } = await open(() => NOON);
    const names = ['b%d', 'a', 'c', 'B', 'shop_1', 'shopx1'];
    for (const name of names) await accounts.create({ name, plan: 'hobby' });
    const seen: string[] = [];
    for (let after: string | null = null; ; ) {
      const page = await accounts.page({ after, limit: 2, text: null });
      seen.push(...page.map(({ name }) => name));
      after = page.at(-1)?.name ?? null;
      if (after === null) break;
    }
    t.deepEqual(seen, [...names].sort());
    const found = async (text: string) =>
      (await accounts.page({ after: null, limit: 9, text })).map(({ name }) => name);
    t.deepEqual(await found('b'), ['B', 'b%d']);
    t.deepEqual(await found('P_1'), ['shop_1']);
    t.deepEqual(await found('%'), ['b%d']);
  });

  contract(
    'ensuring an account at once from two processes makes one, with the plan given',
    async (t, _records, open) => {
      const [one, other] = [await open(() => NOON), await open(() => NOON)];
      const accounts = await Promise.all(
        [one, other, one, other].map(({ accounts }) => accounts.ensure({ name: 'ci', plan: 'unlimited' })),
      );
      t.is(new Set(accounts.map(({ id }) => id)).size, 1);
      t.is((await one.accounts.ensure({ name: 'ci', plan: 'pro' })).plan, 'pro');
    },
  );

  contract(
    'an account with keys only is no user, and an invited user has no password yet',
    async (t, records) => {
      const keys = await records.accounts.create({ name: 'shop', plan: 'hobby' });
      t.like(keys, { email: null, role: 'member', passwordChangedAt: null, lastSignedInAt: null });
      const account = await records.users.invite(jane);
      t.like(account, { email: jane.email, name: jane.email, role: 'member', passwordChangedAt: null });
      t.deepEqual(await records.users.findByEmail(jane.email), account);
      t.deepEqual(await records.users.findPassword(jane.email), { account, password: null });
      t.deepEqual(await records.accounts.find(account.id), account);
      t.is(await records.users.findByEmail('shop'), null);
      await t.throwsAsync(records.users.invite(jane), { instanceOf: StorageConflictError });
      t.deepEqual(await records.users.list({ after: null, limit: 10 }), [account]);
      t.deepEqual(await records.users.list({ after: jane.email, limit: 10 }), []);
    },
  );

  contract('a key that is named like an email keeps its account to itself', async (t, records) => {
    const keys = await records.accounts.create({ name: jane.email, plan: 'unlimited' });
    const person = await records.users.invite(jane);
    t.not(person.id, keys.id);
    t.regex(person.name, /^jane@example\.com \([0-9a-f]{8}\)$/);
    t.is((await records.accounts.findByName(jane.email))?.id, keys.id);
  });

  contract('a link serves its own purpose alone, and survives being used for another', async (t, records) => {
    const account = await records.users.invite(jane);
    await records.accountTokens.create(tokenWith({ kind: 'password-reset', accountId: account.id }));
    const use = { id: 'token', password: 'hash', plan: 'hobby', email: 'eve@example.com' };
    const closed = { done: false, because: 'closed' };
    t.deepEqual(await records.accountTokens.register(use), closed);
    t.deepEqual(await records.accountTokens.makeFirstOperator(use), closed);
    t.deepEqual(await records.accountTokens.confirmEmail('token'), closed);
    t.deepEqual(await records.accountTokens.find('token'), {
      ...{ id: 'token', kind: 'password-reset', accountId: account.id, email: jane.email },
      expiresAt: NOON + HOUR_MS,
    });
    t.true((await records.accountTokens.choosePassword(use)).done);
    t.is(await records.users.findPasswordOf(account.id), 'hash');
    t.is(await records.accountTokens.find('token'), null);
  });

  contract('a link expires, and is deleted', async (t, records, open) => {
    await records.accountTokens.create(tokenWith());
    const later = await open(() => NOON + HOUR_MS);
    t.is(await later.accountTokens.find('token'), null);
    const use = { id: 'token', password: 'hash', plan: 'hobby' };
    t.deepEqual(await later.accountTokens.register(use), { done: false, because: 'closed' });
    t.is(await records.sessions.deleteExpired(), 0);
    t.is(await later.sessions.deleteExpired(), 1);
  });

  contract('a set-up link makes the first operator, once, and the newest link alone', async (t, records) => {
    const setUp = (id: string) => tokenWith({ id, kind: 'set-up', email: null });
    const use = { password: 'hash', email: 'op@example.com', plan: 'hobby' };
    await records.accountTokens.create(setUp('older'));
    await records.accountTokens.create(setUp('newer'));
    t.false(await records.users.hasOperator());
    t.false((await records.accountTokens.makeFirstOperator({ ...use, id: 'older' })).done);
    const made = await records.accountTokens.makeFirstOperator({ ...use, id: 'newer' });
    t.like(made.done ? made.account : null, { email: 'op@example.com', role: 'operator' });
    t.true(await records.users.hasOperator());
    await records.accountTokens.create(setUp('late'));
    const late = await records.accountTokens.makeFirstOperator({
      ...use,
      ...{ id: 'late', email: 'eve@example.com' },
    });
    t.false(late.done);
    t.is(await records.users.findByEmail('eve@example.com'), null);
  });

  contract('the first operator may be a user who was invited before', async (t, records) => {
    const invited = await records.users.invite({ ...jane, role: 'operator' });
    t.false(await records.users.hasOperator(), 'an invited operator can do nothing yet');
    await records.accountTokens.create(tokenWith({ kind: 'set-up', email: null }));
    const use = { id: 'token', password: 'hash', email: jane.email, plan: 'pro' };
    const made = await records.accountTokens.makeFirstOperator(use);
    t.like(made.done ? made.account : null, { id: invited.id, role: 'operator', plan: 'hobby' });
  });

  contract(
    'registering an email that was taken in the meantime changes nothing of it',
    async (t, records) => {
      await records.accountTokens.create(tokenWith());
      const account = await records.users.invite(jane);
      const use = { id: 'token', password: 'hash', plan: 'hobby' };
      t.deepEqual(await records.accountTokens.register(use), { done: false, because: 'taken' });
      t.is(await records.users.findPasswordOf(account.id), null);
    },
  );

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

  contract('an email changes by the link to the new mailbox, unless it is taken', async (t, records) => {
    const { id } = await records.users.invite(jane);
    await records.users.invite({ ...jane, email: 'eve@example.com' });
    const change = { kind: 'email-change', accountId: id } as const;
    await records.accountTokens.create(tokenWith({ ...change, email: 'eve@example.com' }));
    t.deepEqual(await records.accountTokens.confirmEmail('token'), { done: false, because: 'taken' });
    await records.accountTokens.create(tokenWith({ ...change, email: 'jane@example.org' }));
    const outcome = await records.accountTokens.confirmEmail('token');
    t.like(outcome, { done: true, before: jane.email });
    t.like(outcome.done ? outcome.account : null, {
      id,
      email: 'jane@example.org',
      name: 'jane@example.org',
    });
  });

  contract('the last operator cannot be removed', async (t, records) => {
    await records.accountTokens.create(tokenWith({ kind: 'set-up', email: null }));
    const made = await records.accountTokens.makeFirstOperator({
      ...{ id: 'token', password: 'hash', email: 'op@example.com', plan: 'hobby' },
    });
    const id = made.done ? made.account.id : '';
    await t.throwsAsync(records.users.setRole(id, 'member'), { instanceOf: StorageConflictError });
    t.is((await records.accounts.find(id))?.role, 'operator');
    await t.throwsAsync(records.users.close(id), { instanceOf: StorageConflictError });
    t.is((await records.users.findPassword('op@example.com'))?.password, 'hash', 'nothing was closed');
    const second = await records.users.invite(jane);
    t.is((await records.users.setRole(second.id, 'operator'))?.role, 'operator');
    await t.throwsAsync(records.users.setRole(id, 'member'), { instanceOf: StorageConflictError });
    t.is((await records.users.setRole(second.id, 'member'))?.role, 'member');
    const keys = await records.accounts.create({ name: 'shop', plan: 'hobby' });
    await t.throwsAsync(records.users.setRole(keys.id, 'operator'), { instanceOf: StorageConflictError });
    t.is(await records.users.setRole('unknown', 'operator'), null);
  });

  contract('a closed account cannot sign in, and its keys are refused', async (t, records) => {
    const { id } = await records.users.invite(jane);
    await records.sessions.create(sessionOf(id, 'one'), null);
    await records.accountTokens.create(tokenWith({ kind: 'set-up', accountId: id }));
    await records.apiKeys.create({
      ...{ accountId: id, name: 'first', sha256: 'aa', lastFour: 'wxyz', test: false, expiresAt: null },
    });
    t.true(await records.users.close(id));
    t.is(await records.users.findByEmail(jane.email), null);
    t.is(await records.sessions.find('one'), null);
    t.is(await records.accountTokens.find('token'), null);
    t.is(await records.apiKeys.authorize('aa', NOON + 500), null);
    t.is((await records.accounts.find(id))?.name, `closed account ${id.slice(0, 8)}`);
    t.false(await records.users.close('unknown'));
    t.not((await records.users.invite(jane)).id, id, 'the email is free for another account');
  });

  contract('mails over an hourly budget store no link', async (t, records, open) => {
    t.is(await records.accountTokens.createForMail(tokenWith({ id: 'first' }), mail), 'stored');
    t.true(await records.accountTokens.countMail(mail));
    t.is(await records.accountTokens.createForMail(tokenWith({ id: 'third' }), mail), 'over-budget');
    t.is(await records.accountTokens.find('third'), null);
    t.false(await records.accountTokens.countMail(mail));
    const later = await open(() => NOON + HOUR_MS);
    t.is(await later.accountTokens.createForMail(tokenWith({ id: 'later' }), mail), 'stored');
  });

  contract(
    'a closed account gets no link, and no link outlives the password that allowed it',
    async (t, records) => {
      const { id } = await records.users.invite(jane);
      await records.users.changePassword({ accountId: id, password: 'old', keepSession: '' });
      const change = { kind: 'email-change', accountId: id, email: 'jane@example.org' } as const;
      const linkOf = (passwordChangedAt: number) =>
        records.accountTokens.createForMail(tokenWith({ ...change, passwordChangedAt }), mail);
      t.is(await linkOf(NOON - 1), 'closed');
      t.is(await records.accountTokens.find('token'), null);
      t.is(await linkOf(NOON), 'stored');
      await records.users.close(id);
      t.is(await linkOf(NOON), 'closed');
      t.is(await records.accountTokens.createForMail(tokenWith(change), mail), 'closed');
      const reset = tokenWith({ kind: 'password-reset', accountId: id });
      await t.throwsAsync(records.accountTokens.create(reset), { instanceOf: StorageConflictError });
      t.is(await records.accountTokens.find('token'), null);
      t.is((await records.accounts.find(id))?.email, null);
    },
  );
}
