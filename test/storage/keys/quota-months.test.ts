import test from 'ava';
import { entryOf } from '../decisions/decision-fixture.ts';
import { prepareSqlite } from '../prepare-storage.ts';

const DAY_MS = 86_400_000;
const NOVEMBER = Date.parse('2026-11-21T12:00:00Z');

test('a quota begins anew with the calendar month in UTC, and days are told apart', async (t) => {
  const open = await prepareSqlite(t);
  const { accounts, ledger, quotas } = await open(() => NOVEMBER);
  const account = await accounts.create({ name: 'shop', plan: 'hobby' });
  const at = (time: string) => Date.parse(time);
  const commit = (time: string) => ledger.commit(entryOf(account, { processedAt: at(time) }, { limit: 2 }));
  t.true((await commit('2026-11-29T10:00:00Z')).granted);
  t.true((await commit('2026-11-30T23:59:59.999Z')).granted);
  t.false((await commit('2026-11-30T23:59:59.999Z')).granted);
  t.false(await ledger.isWithinQuota(account.id, 2, at('2026-11-30T23:59:59Z')));
  t.true(await ledger.isWithinQuota(account.id, 2, at('2026-12-01T00:00:00Z')));
  t.deepEqual(await commit('2026-12-01T00:00:00Z'), { granted: true, used: 1 });
  t.deepEqual(await quotas.usage(account.id, at('2026-11-30T00:00:00Z')), {
    used: 2,
    days: [
      { date: '2026-11-29', used: 1 },
      { date: '2026-11-30', used: 1 },
    ],
  });
  t.deepEqual(await quotas.usage('unknown', NOVEMBER), { used: 0, days: [] });
});

test('usage is counted by key, and adds up to the same', async (t) => {
  const open = await prepareSqlite(t);
  const { accounts, ledger, quotas } = await open(() => NOVEMBER);
  const account = await accounts.create({ name: 'shop', plan: 'pro' });
  const other = await accounts.create({ name: 'other', plan: 'pro' });
  const commit = (keyId: string, processedAt = NOVEMBER) =>
    ledger.commit(entryOf(account, { keyId, processedAt }, { limit: 9 }));
  await Promise.all([commit('a'), commit('b'), commit('a'), commit('a', NOVEMBER + DAY_MS)]);
  await commit('a', NOVEMBER - 40 * DAY_MS);
  await ledger.commit(entryOf(other, { keyId: 'c', processedAt: NOVEMBER }));
  t.deepEqual([...(await quotas.usageByKey(account.id, NOVEMBER))].sort(), [
    ['a', 3],
    ['b', 1],
  ]);
  t.is((await quotas.usage(account.id, NOVEMBER)).used, 4);
  t.deepEqual((await quotas.usage(account.id, NOVEMBER)).days, [
    { date: '2026-11-21', used: 3 },
    { date: '2026-11-22', used: 1 },
  ]);
  const all = await quotas.usageOf([account.id, other.id, 'unknown'], NOVEMBER);
  t.deepEqual([all.get(account.id), all.get(other.id), all.get('unknown')], [4, 1, undefined]);
  t.is((await quotas.usageOf([], NOVEMBER)).size, 0);
});
