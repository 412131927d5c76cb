import anyTest, { type ExecutionContext, type TestFn } from 'ava';
import { StorageConflictError } from '../../../src/storage/storage-error.ts';
import { NOON } from '../decisions/decision-fixture.ts';
import type { OpenAgain, PrepareStorage } from '../prepare-storage.ts';
import { keyOf } from './key-fixture.ts';

const test = anyTest as TestFn;
const HOUR_MS = 3_600_000;

/** The keys of one account, and what is counted for them. An account never reaches another's. */
export function testOwnKeys(engine: string, prepare: PrepareStorage): void {
  const contract = (title: string, run: (t: ExecutionContext, open: OpenAgain) => Promise<void>) =>
    test(`${engine}: ${title}`, async (t) => run(t, await prepare(t)));

  contract('an account sees its own keys, newest first, and no others', async (t, open) => {
    let now = NOON;
    const { accounts, apiKeys } = await open(() => now++);
    const [mine, other] = [
      await accounts.create({ name: 'mine', plan: 'pro' }),
      await accounts.create({ name: 'other', plan: 'pro' }),
    ];
    await apiKeys.create(keyOf(mine.id));
    await apiKeys.create(keyOf(mine.id, { name: 'second', sha256: 'bb' }));
    await apiKeys.create(keyOf(other.id, { sha256: 'cc' }));
    t.deepEqual(
      (await apiKeys.listOf(mine.id)).map(({ name }) => name),
      ['second', 'first'],
    );
    t.deepEqual(await apiKeys.listOf('unknown'), []);
  });

  contract('an account cannot revoke or rotate the key of another', async (t, open) => {
    const { accounts, apiKeys } = await open(() => NOON);
    const [mine, other] = [
      await accounts.create({ name: 'mine', plan: 'pro' }),
      await accounts.create({ name: 'other', plan: 'pro' }),
    ];
    const { id } = await apiKeys.create(keyOf(mine.id));
    t.is(await apiKeys.revokeOf(other.id, id), null);
    const rotation = { id, sha256: 'bb', lastFour: 'zzzz', overlapMs: 0 };
    t.is(await apiKeys.rotate({ ...rotation, accountId: other.id }), null);
    t.truthy(await apiKeys.authorize('aa', NOON));
    t.is(await apiKeys.authorize('bb', NOON), null);
    t.is((await apiKeys.listOf(mine.id)).length, 1);
  });

  contract('a revoked key is refused at once here and half a second later elsewhere', async (t, open) => {
    const [one, other] = [await open(() => NOON), await open(() => NOON)];
    const account = await one.accounts.create({ name: 'shop', plan: 'pro' });
    const { id } = await one.apiKeys.create(keyOf(account.id));
    t.truthy(await one.apiKeys.authorize('aa', NOON));
    t.truthy(await other.apiKeys.authorize('aa', NOON));
    t.is((await one.apiKeys.revokeOf(account.id, id))?.revokedAt, NOON);
    t.is(await one.apiKeys.authorize('aa', NOON), null);
    t.is(await other.apiKeys.authorize('aa', NOON + 500), null);
    t.is(await one.apiKeys.revokeOf(account.id, id), null);
  });

  contract(
    'after a rotation both keys work until the overlap ends, then the new one alone',
    async (t, open) => {
      const [one, other] = [await open(() => NOON), await open(() => NOON)];
      const account = await one.accounts.create({ name: 'shop', plan: 'pro' });
      const { id } = await one.apiKeys.create(keyOf(account.id, { test: true }));
      t.truthy(await one.apiKeys.authorize('aa', NOON));
      t.is(await one.apiKeys.authorize('bb', NOON), null);
      const rotation = { accountId: account.id, id, sha256: 'bb', lastFour: 'zzzz', overlapMs: HOUR_MS };
      const rotated = await one.apiKeys.rotate(rotation);
      t.is(rotated?.replaced.expiresAt, NOON + HOUR_MS);
      t.like(rotated?.replacement, { name: 'first', lastFour: 'zzzz', test: true, expiresAt: null });
      for (const { apiKeys } of [one, other]) {
        t.truthy(await apiKeys.authorize('aa', NOON + HOUR_MS - 1));
        t.is(await apiKeys.authorize('aa', NOON + HOUR_MS), null);
        t.truthy(await apiKeys.authorize('bb', NOON + HOUR_MS));
      }
    },
  );

  contract(
    'a rotation without overlap ends the old key at once, and none ends later than it would have',
    async (t, open) => {
      const { accounts, apiKeys } = await open(() => NOON);
      const account = await accounts.create({ name: 'shop', plan: 'pro' });
      const ended = await apiKeys.create(keyOf(account.id));
      const rotation = { accountId: account.id, id: ended.id, sha256: 'bb', lastFour: 'b', overlapMs: 0 };
      await apiKeys.rotate(rotation);
      t.is(await apiKeys.authorize('aa', NOON), null);
      t.is(await apiKeys.rotate({ ...rotation, sha256: 'cc' }), null, 'what ended is not rotated');
      const short = await apiKeys.create(
        keyOf(account.id, { name: 'short', sha256: 'dd', expiresAt: NOON + 1_000 }),
      );
      const late = await apiKeys.rotate({ ...rotation, id: short.id, sha256: 'ee', overlapMs: HOUR_MS });
      t.is(late?.replaced.expiresAt, NOON + 1_000);
    },
  );

  contract('usable keys are counted by account', async (t, open) => {
    const { accounts, apiKeys } = await open(() => NOON);
    const account = await accounts.create({ name: 'shop', plan: 'pro' });
    await apiKeys.create(keyOf(account.id));
    await apiKeys.create(keyOf(account.id, { name: 'b', sha256: 'bb', expiresAt: NOON + 1 }));
    const revoked = await apiKeys.create(keyOf(account.id, { name: 'c', sha256: 'cc' }));
    await apiKeys.revokeOf(account.id, revoked.id);
    t.is((await apiKeys.countUsable([account.id, 'unknown'], NOON)).get(account.id), 2);
    t.is((await apiKeys.countUsable([account.id], NOON + 1)).get(account.id), 1);
    t.is((await apiKeys.countUsable([], NOON)).size, 0);
  });

  contract('an account has at most 100 usable keys, and keeps at most 1,000', async (t, open) => {
    let now = NOON;
    const { accounts, apiKeys } = await open(() => now++);
    const account = await accounts.create({ name: 'shop', plan: 'pro' });
    const make = (name: string) => apiKeys.create(keyOf(account.id, { name, sha256: name }));
    for (let i = 0; i < 100; i++) await make(`k${i}`);
    await t.throwsAsync(make('k100'), { instanceOf: StorageConflictError, message: /has 100 usable keys/ });
    const [newest] = await apiKeys.listOf(account.id);
    const rotation = {
      accountId: account.id,
      id: newest?.id ?? '',
      sha256: 'r',
      lastFour: 'r',
      overlapMs: 1,
    };
    await t.throwsAsync(apiKeys.rotate(rotation), { instanceOf: StorageConflictError });
    let id = newest?.id ?? '';
    for (let i = 0; i < 1_000; i++) {
      const rotated = await apiKeys.rotate({ ...rotation, id, sha256: `r${i}`, overlapMs: 0 });
      id = rotated?.replacement.id ?? '';
    }
    const keys = await apiKeys.listOf(account.id);
    t.true(keys.length <= 1_001, `${keys.length}`);
    t.is((await apiKeys.countUsable([account.id], now)).get(account.id), 100);
    t.truthy(await apiKeys.authorize('r999', now));
  });
}
