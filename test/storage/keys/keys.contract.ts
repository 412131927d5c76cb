import anyTest, { type ExecutionContext, type TestFn } from 'ava';
import { StorageConflictError } from '../../../src/storage/storage-error.ts';
import { until } from '../../helpers/until.ts';
import { entryOf, NOON } from '../decisions/decision-fixture.ts';
import type { OpenAgain, PrepareStorage } from '../prepare-storage.ts';
import { keyOf } from './key-fixture.ts';

const test = anyTest as TestFn;
const HOUR_MS = 3_600_000;

/** API keys: how they are made, found, used and revoked. */
export function testKeys(engine: string, prepare: PrepareStorage): void {
  const contract = (title: string, run: (t: ExecutionContext, open: OpenAgain) => Promise<void>) =>
    test(`${engine}: ${title}`, async (t) => run(t, await prepare(t)));

  contract('a key opens the door until it is revoked, in this process at once', async (t, open) => {
    const records = await open(() => NOON);
    const account = await records.accounts.create({ name: 'shop', plan: 'pro' });
    t.is(await records.apiKeys.authorize('aa', NOON), null);
    const key = await records.apiKeys.create(keyOf(account.id));
    t.deepEqual(await records.apiKeys.authorize('aa', NOON), {
      ...{ keyId: key.id, accountId: account.id, accountName: 'shop', plan: 'pro', test: false },
      ...{ scope: null, expiresAt: null, lastUsedAt: null },
    });
    // An answer does not wait for this note.
    await until(async () => (await records.apiKeys.list())[0]?.lastUsedAt === NOON);
    t.deepEqual(await records.apiKeys.revoke('first'), [{ ...key, revokedAt: NOON, lastUsedAt: NOON }]);
    t.is(await records.apiKeys.authorize('aa', NOON), null);
    t.deepEqual(await records.apiKeys.revoke('first'), []);
  });

  contract('a key is found by the beginning of its name and by its last four characters', async (t, open) => {
    const records = await open(() => NOON);
    const shop = await records.accounts.create({ name: 'shop', plan: 'pro' });
    const blog = await records.accounts.create({ name: 'blog', plan: 'pro' });
    const make = (accountId: string, name: string, lastFour: string) =>
      records.apiKeys.create(keyOf(accountId, { name, lastFour, sha256: `${accountId}${name}` }));
    await make(shop.id, 'web', 'abcd');
    await make(blog.id, 'web forms', 'efgh');
    await make(blog.id, 'mobile', 'web1');
    const found = async (text: string, limit = 10) =>
      (await records.apiKeys.search(text, limit))
        .map(({ accountName, name }) => `${accountName}/${name}`)
        .sort();
    t.deepEqual(await found('web'), ['blog/web forms', 'shop/web']);
    t.deepEqual(await found('efgh'), ['blog/web forms']);
    t.deepEqual(await found('web1'), ['blog/mobile']);
    t.is((await found('', 2)).length, 2);
    for (const nothing of ['eb', 'Web', '%', 'web_forms', 'abc', "x' OR 1=1"])
      t.deepEqual(await found(nothing), []);
  });

  contract('a key keeps its scope when it is listed, used and replaced', async (t, open) => {
    const records = await open(() => NOON);
    const account = await records.accounts.create({ name: 'shop', plan: 'pro' });
    const key = await records.apiKeys.create(keyOf(account.id, { scope: 'gate' }));
    t.is(key.scope, 'gate');
    t.deepEqual(
      (await records.apiKeys.list()).map(({ scope }) => scope),
      ['gate'],
    );
    t.is((await records.apiKeys.authorize('aa', NOON))?.scope, 'gate');
    const replacement = { sha256: 'bb', lastFour: 'abcd', overlapMs: HOUR_MS };
    await records.apiKeys.rotate({ accountId: account.id, id: key.id, ...replacement });
    for (const sha256 of ['aa', 'bb'])
      t.is((await records.apiKeys.authorize(sha256, NOON))?.scope, 'gate', sha256);
  });

  contract('a revocation by another process holds half a second later', async (t, open) => {
    const [server, cli] = [await open(() => NOON), await open(() => NOON)];
    const account = await server.accounts.create({ name: 'shop', plan: 'pro' });
    await cli.apiKeys.create(keyOf(account.id));
    t.truthy(await server.apiKeys.authorize('aa', NOON));
    await cli.apiKeys.revoke('wxyz');
    // A database that takes over 250 ms on a busy machine: the last answer counts until the new one is there.
    await until(async () => (await server.apiKeys.authorize('aa', NOON + 500)) === null);
    t.pass();
  });

  contract('a key made by another process is known half a second after it was not', async (t, open) => {
    const [server, cli] = [await open(() => NOON), await open(() => NOON)];
    const account = await server.accounts.create({ name: 'shop', plan: 'pro' });
    t.is(await server.apiKeys.authorize('aa', NOON), null);
    await cli.apiKeys.create(keyOf(account.id));
    t.truthy(await server.apiKeys.authorize('aa', NOON + 500));
  });

  contract('a key is refused from the millisecond it expires, remembered or not', async (t, open) => {
    const records = await open(() => NOON);
    const account = await records.accounts.create({ name: 'shop', plan: 'pro' });
    await records.apiKeys.create(keyOf(account.id, { expiresAt: NOON + 100 }));
    t.truthy(await records.apiKeys.authorize('aa', NOON + 99));
    t.is(await records.apiKeys.authorize('aa', NOON + 100), null);
    t.is(await records.apiKeys.authorize('aa', NOON + 5_000), null);
  });

  contract('a clock that is set back does not extend the cache', async (t, open) => {
    const [server, cli] = [await open(() => NOON), await open(() => NOON)];
    const account = await server.accounts.create({ name: 'shop', plan: 'pro' });
    await cli.apiKeys.create(keyOf(account.id));
    t.truthy(await server.apiKeys.authorize('aa', NOON));
    await cli.apiKeys.revoke('first');
    t.is(await server.apiKeys.authorize('aa', NOON - 3_600_000), null);
  });

  contract(
    'a second usable key of one name is refused, in place of an expired or revoked one not',
    async (t, open) => {
      let now = NOON;
      const { accounts, apiKeys } = await open(() => now);
      const account = await accounts.create({ name: 'shop', plan: 'pro' });
      await apiKeys.create(keyOf(account.id, { expiresAt: NOON + 100 }));
      await t.throwsAsync(apiKeys.create(keyOf(account.id, { sha256: 'bb' })), {
        instanceOf: StorageConflictError,
        message: /ends in wxyz.*revoke it first/,
      });
      now = NOON + 100;
      await t.notThrowsAsync(apiKeys.create(keyOf(account.id, { sha256: 'bb', lastFour: 'zzzz' })));
      await apiKeys.revoke('zzzz');
      await t.notThrowsAsync(apiKeys.create(keyOf(account.id, { sha256: 'cc' })));
    },
  );

  contract('an ambiguous name revokes nothing and names the keys', async (t, open) => {
    const { accounts, apiKeys } = await open(() => NOON);
    const account = await accounts.create({ name: 'shop', plan: 'pro' });
    const key = await apiKeys.create(keyOf(account.id, { name: 'a' }));
    await apiKeys.create(keyOf(account.id, { name: 'b', sha256: 'bb' }));
    await t.throwsAsync(apiKeys.revoke('wxyz'), {
      instanceOf: StorageConflictError,
      message: new RegExp(key.id),
    });
    t.deepEqual((await apiKeys.list()).map((k) => [k.name, k.revokedAt, k.account.name]).sort(), [
      ['a', null, 'shop'],
      ['b', null, 'shop'],
    ]);
    t.is((await apiKeys.revoke(key.id)).length, 1);
  });

  contract('an expired key does not make the name of its successor ambiguous', async (t, open) => {
    let now = NOON;
    const { accounts, apiKeys } = await open(() => now);
    const account = await accounts.create({ name: 'shop', plan: 'pro' });
    const expired = await apiKeys.create(keyOf(account.id, { expiresAt: NOON + 100 }));
    now = NOON + 100;
    const usable = await apiKeys.create(keyOf(account.id, { sha256: 'bb', lastFour: 'zzzz' }));
    t.deepEqual(
      (await apiKeys.revoke('first')).map(({ id }) => id),
      [usable.id],
    );
    t.deepEqual(await apiKeys.revoke(expired.id), []);
  });

  contract('when a key was last used is noted, at most once a minute', async (t, open) => {
    const records = await open(() => NOON);
    const account = await records.accounts.create({ name: 'shop', plan: 'pro' });
    await records.apiKeys.create(keyOf(account.id));
    const lastUsed = async (at: number) => {
      await records.apiKeys.authorize('aa', at);
      await records.ledger.commit(entryOf(account, { processedAt: at }));
      return (await records.apiKeys.list())[0]?.lastUsedAt;
    };
    // An answer does not wait for this note.
    await until(async () => (await lastUsed(NOON)) === NOON);
    t.is(await lastUsed(NOON + 59_999), NOON);
    await until(async () => (await lastUsed(NOON + 61_000)) === NOON + 61_000);
    t.pass();
  });
}
