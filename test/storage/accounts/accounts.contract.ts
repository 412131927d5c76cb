import { StorageConflictError } from '../../../src/storage/storage-error.ts';
import { NOON } from '../decisions/decision-fixture.ts';
import type { PrepareStorage } from '../prepare-storage.ts';
import { contractOf, jane, sessionOf, tokenWith } from './account-fixture.ts';

/** Accounts and their users. */
export function testAccounts(engine: string, prepare: PrepareStorage): void {
  const contract = contractOf(engine, prepare);

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
}
