import anyTest, { type ExecutionContext, type TestFn } from 'ava';
import { entryOf, NOON } from './decisions/decision-fixture.ts';
import type { OpenAgain, PrepareStorage } from './prepare-storage.ts';

const test = anyTest as TestFn;

/** The contract of every engine, for any topic. */
export function testStorage(engine: string, prepare: PrepareStorage): void {
  const contract = (title: string, run: (t: ExecutionContext, open: OpenAgain) => Promise<void>) =>
    test(`${engine}: ${title}`, async (t) => run(t, await prepare(t)));

  contract('acknowledged writes are there when the storage is opened again', async (t, open) => {
    const first = await open(() => NOON);
    const account = await first.accounts.create({ name: 'shop', plan: 'hobby' });
    await first.apiKeys.create({
      accountId: account.id,
      name: 'first',
      sha256: 'aa',
      lastFour: 'wxyz',
      test: false,
      expiresAt: null,
    });
    const commits = Array.from({ length: 50 }, () => first.ledger.commit(entryOf(account)));
    await first.close();
    await Promise.all(commits);
    await t.throwsAsync(first.ledger.commit(entryOf(account)), { name: 'StorageBusyError' });
    const second = await open(() => NOON);
    await t.notThrowsAsync(second.ping());
    t.is((await second.quotas.usage(account.id, NOON)).used, 50);
    t.truthy(await second.apiKeys.authorize('aa', NOON));
  });
}
