import anyTest, { type ExecutionContext, type TestFn } from 'ava';
import type { Storage } from '../../../src/storage/storage.ts';
import { NOON } from '../decisions/decision-fixture.ts';
import type { OpenAgain, PrepareStorage } from '../prepare-storage.ts';

const test = anyTest as TestFn;
const HOUR_MS = 3_600_000;
const userOf = (email: string) => ({ email, role: 'member', plan: 'hobby' }) as const;

/** Users who were invited and have not chosen a password. */
export function testInvitations(engine: string, prepare: PrepareStorage): void {
  const contract = (
    title: string,
    run: (t: ExecutionContext, records: Storage, open: OpenAgain) => Promise<void>,
  ) =>
    test(`${engine}: ${title}`, async (t) => {
      const open = await prepare(t);
      await run(t, await open(() => NOON), open);
    });
  const link = (records: Storage, id: string, accountId: string, lifetimeMs = HOUR_MS) =>
    records.accountTokens.create({ id, kind: 'set-up', accountId, email: 'jane@example.com', lifetimeMs });

  contract(
    'open invitations name their inviter and the end of the newest link',
    async (t, records, again) => {
      const operator = await records.users.invite({ ...userOf('op@example.com'), role: 'operator' });
      await link(records, 'own', operator.id);
      await records.accountTokens.choosePassword({ id: 'own', password: 'hash' });
      const later = await again(() => NOON + 1);
      const jane = await later.users.invite(userOf('jane@example.com'), operator.id);
      await link(records, 'first', jane.id);
      await link(records, 'second', jane.id, 2 * HOUR_MS);
      const john = await records.users.invite(userOf('john@example.com'));
      const rows = (await records.users.openInvitations(10)).map(({ account, ...row }) => ({
        id: account.id,
        ...row,
      }));
      t.deepEqual(rows, [
        { id: jane.id, invitedBy: 'op@example.com', expiresAt: NOON + 2 * HOUR_MS },
        { id: john.id, invitedBy: null, expiresAt: null },
      ]);
      t.is((await records.users.openInvitations(1)).length, 1);
      await records.accountTokens.choosePassword({ id: 'second', password: 'hash' });
      t.is((await records.users.openInvitations(10)).length, 1);
    },
  );

  contract('a withdrawn invitation leaves no account and no link', async (t, records) => {
    const { id } = await records.users.invite(userOf('jane@example.com'));
    await link(records, 'link', id);
    t.true(await records.users.withdraw(id));
    t.is(await records.accounts.find(id), null);
    t.is(await records.accountTokens.find('link'), null);
    t.false(await records.users.withdraw(id));
    await records.users.invite(userOf('jane@example.com'));
  });

  contract(
    'an account with API keys is closed instead, and one with a password stays',
    async (t, records) => {
      const { id } = await records.users.invite(userOf('jane@example.com'));
      await records.apiKeys.create({
        ...{ accountId: id, name: 'first', sha256: 'aa', lastFour: 'wxyz', test: false, expiresAt: null },
      });
      t.true(await records.users.withdraw(id));
      t.like(await records.accounts.find(id), { email: null });
      const john = await records.users.invite(userOf('john@example.com'));
      await link(records, 'link', john.id);
      await records.accountTokens.choosePassword({ id: 'link', password: 'hash' });
      t.false(await records.users.withdraw(john.id));
      t.like(await records.accounts.find(john.id), { email: 'john@example.com' });
    },
  );

  contract(
    'of a withdrawal and the choice of a password at once, one takes effect',
    async (t, records, again) => {
      const { id } = await records.users.invite(userOf('jane@example.com'));
      await link(records, 'link', id);
      const other = await again(() => NOON);
      const [isWithdrawn, chosen] = await Promise.all([
        records.users.withdraw(id),
        other.accountTokens.choosePassword({ id: 'link', password: 'hash' }),
      ]);
      t.not(isWithdrawn, chosen.done);
      t.is((await records.accounts.find(id)) === null, isWithdrawn);
    },
  );
}
