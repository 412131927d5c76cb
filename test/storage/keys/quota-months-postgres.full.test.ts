import anyTest, { type TestFn } from 'ava';
import { openStorage } from '../../../src/storage/open-storage.ts';
import { connectPostgres, MISSING_POSTGRES } from '../../helpers/postgres-server.ts';
import { entryOf, NOON } from '../decisions/decision-fixture.ts';
import { postgresDatabase } from '../prepare-postgres.ts';

const test = anyTest as TestFn;
const testPostgres = MISSING_POSTGRES === null ? test : test.skip;
if (MISSING_POSTGRES !== null) test.skip(`months of quotas on PostgreSQL: ${MISSING_POSTGRES}`, () => {});

const DAY_MS = 86_400_000;

testPostgres(
  'the month and the day of a count are those of the database, whatever a node takes for now',
  async (t) => {
    const { direct: url } = await postgresDatabase(t);
    const ahead = await openStorage({ url, clock: () => NOON + 40 * DAY_MS });
    const behind = await openStorage({ url, clock: () => NOON - 40 * DAY_MS });
    t.teardown(() => Promise.all([ahead.close(), behind.close()]));
    const account = await ahead.accounts.create({ name: 'shop', plan: 'hobby' });
    const commit = ({ ledger }: typeof ahead, processedAt: number, keyId: string) =>
      ledger.commit(entryOf(account, { processedAt, keyId }, { limit: 3 }));
    t.deepEqual(await commit(ahead, NOON + 40 * DAY_MS, 'a'), { granted: true, used: 1 });
    t.deepEqual(await commit(behind, NOON - 40 * DAY_MS, 'b'), { granted: true, used: 2 });
    t.deepEqual(await commit(ahead, NOON, 'a'), { granted: true, used: 3 });
    t.deepEqual(await commit(behind, NOON, 'b'), { granted: false, used: 3, answered: null });
    const { used, days } = await ahead.quotas.usage(account.id, NOON);
    t.is(used, 3);
    t.is(
      days.reduce((sum, day) => sum + day.used, 0),
      3,
    );
    t.deepEqual([...(await ahead.quotas.usageByKey(account.id, NOON))].sort(), [
      ['a', 2],
      ['b', 1],
    ]);
    // The node whose clock is ahead does not take the end of this month for the end of the next.
    t.true(await ahead.ledger.isWithinQuota(account.id, 3, NOON + 40 * DAY_MS));
    t.false(await ahead.ledger.isWithinQuota(account.id, 3, NOON));
  },
);

testPostgres('a quota begins anew with the next month', async (t) => {
  const { direct: url } = await postgresDatabase(t);
  const storage = await openStorage({ url, clock: () => NOON });
  const client = await connectPostgres(url);
  t.teardown(() => Promise.all([storage.close(), client.end()]));
  const account = await storage.accounts.create({ name: 'shop', plan: 'hobby' });
  const commit = () => storage.ledger.commit(entryOf(account, {}, { limit: 1 }));
  t.deepEqual(await commit(), { granted: true, used: 1 });
  t.deepEqual(await commit(), { granted: false, used: 1, answered: null });
  // As if all that had been in the month before.
  await client.query("UPDATE quota_months SET month = '2020-01'");
  await client.query("UPDATE usage_days SET day = '2020-01-31'");
  t.deepEqual(await commit(), { granted: true, used: 1 });
  t.is((await storage.quotas.usage(account.id, NOON)).used, 1);
  t.is((await storage.quotas.usage(account.id, Date.parse('2020-01-05T00:00:00Z'))).used, 1);
});
