import anyTest, { type TestFn } from 'ava';
import { openStorage } from '../../../src/storage/open-storage.ts';
import { StorageError } from '../../../src/storage/storage-error.ts';
import { openFaultProxy } from '../../helpers/fault-proxy.ts';
import { MISSING_POSTGRES } from '../../helpers/postgres-server.ts';
import { NOON } from '../decisions/decision-fixture.ts';
import { postgresDatabase } from '../prepare-postgres.ts';

const test = anyTest as TestFn;
const testPostgres = MISSING_POSTGRES === null ? test : test.skip;
if (MISSING_POSTGRES !== null) test.skip(`keys while PostgreSQL is away: ${MISSING_POSTGRES}`, () => {});

for (const fault of ['refuse', 'silent'] as const) {
  testPostgres(
    `${fault}: known keys work for a minute without the database, unknown ones are an error`,
    async (t) => {
      const url = new URL((await postgresDatabase(t)).direct);
      const proxy = await openFaultProxy(Number(url.port));
      url.port = String(proxy.port);
      url.searchParams.set('connect_timeout', '2');
      const storage = await openStorage({ url: url.href, clock: () => NOON });
      t.teardown(async () => {
        await proxy.set('pass');
        await storage.close();
        await proxy.close();
      });
      const { accounts, apiKeys } = storage;
      const { id: accountId } = await accounts.create({ name: 'shop', plan: 'hobby' });
      const key = { accountId, lastFour: 'wxyz', test: false, expiresAt: null };
      await apiKeys.create({ ...key, name: 'one', sha256: 'aa' });
      await apiKeys.create({ ...key, name: 'brief', sha256: 'bb', expiresAt: NOON + 10_000 });
      t.truthy(await apiKeys.authorize('aa', NOON));
      t.truthy(await apiKeys.authorize('bb', NOON));

      await proxy.set(fault);
      t.like(await apiKeys.authorize('aa', NOON + 1_000), { accountId });
      t.like(await apiKeys.authorize('aa', NOON + 59_999), { accountId });
      t.is(await apiKeys.authorize('bb', NOON + 10_000), null, 'an expiry needs no database');
      await t.throwsAsync(apiKeys.authorize('aa', NOON + 60_000), { instanceOf: StorageError });
      await t.throwsAsync(apiKeys.authorize('cc', NOON + 1_000), { instanceOf: StorageError });
    },
  );
}
