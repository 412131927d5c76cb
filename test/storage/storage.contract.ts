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

  contract('an act and its audit entry are written together, or not at all', async (t, open) => {
    const records = await open(() => NOON);
    const { id } = await records.accounts.create({ name: 'shop', plan: 'hobby' });
    const entry = {
      at: NOON,
      actorId: null,
      actorName: 'test',
      act: 'account.plan_set',
      detail: {},
    } as const;
    const act = (plan: string, subject: string, end: () => void) =>
      records.act(async ({ accounts, apiKeys, audit }) => {
        await accounts.setPlan(id, plan);
        await apiKeys.create({
          ...{ accountId: id, name: plan, sha256: plan, lastFour: 'wxyz', test: false, expiresAt: null },
        });
        await audit.record({ ...entry, subject });
        end();
      });
    t.is(await records.apiKeys.authorize('pro', NOON), null);
    const failing = act('pro', 'failed', () => {
      throw new Error('killed here');
    });
    await t.throwsAsync(failing, { message: 'killed here' });
    t.is((await records.accounts.find(id))?.plan, 'hobby');
    t.is((await records.apiKeys.listOf(id)).length, 0);
    t.deepEqual(await records.audit.page({ before: null, limit: 10 }), []);
    await act('pro', 'done', () => {});
    t.is((await records.accounts.find(id))?.plan, 'pro');
    // At once in this process, although the key was looked up as unknown a moment ago.
    t.like(await records.apiKeys.authorize('pro', NOON), { accountName: 'shop', plan: 'pro' });
    t.like(await records.audit.page({ before: null, limit: 10 }), [{ subject: 'done' }]);
  });
}
