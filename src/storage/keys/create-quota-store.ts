import type { StorageEngine } from '../engine/engine.ts';
import { monthOf, utcDay } from './calendar.ts';
import type { QuotaStore } from './quota-store.ts';

export function createQuotaStore({ db }: StorageEngine): QuotaStore {
  return {
    async usage(accountId, now) {
      const { firstDay, lastDay } = monthOf(utcDay(now));
      const rows = await db
        .selectFrom('usage_days')
        .select(({ fn }) => ['day as date', fn.sum<number>('used').as('used')])
        .where('account_id', '=', accountId)
        .where('day', '>=', firstDay)
        .where('day', '<=', lastDay)
        .groupBy('day')
        .orderBy('day')
        .execute();
      return { used: rows.reduce((sum, { used }) => sum + used, 0), days: rows };
    },
    async usageByKey(accountId, now) {
      const { firstDay, lastDay } = monthOf(utcDay(now));
      const rows = await db
        .selectFrom('usage_days')
        .select(({ fn }) => ['key_id', fn.sum<number>('used').as('used')])
        .where('account_id', '=', accountId)
        .where('day', '>=', firstDay)
        .where('day', '<=', lastDay)
        .groupBy('key_id')
        .execute();
      return new Map(rows.map(({ key_id, used }) => [key_id, used]));
    },
    async usageOf(accountIds, now) {
      if (accountIds.length === 0) return new Map();
      const { firstDay, lastDay } = monthOf(utcDay(now));
      const rows = await db
        .selectFrom('usage_days')
        .select(({ fn }) => ['account_id', fn.sum<number>('used').as('used')])
        .where('account_id', 'in', accountIds)
        .where('day', '>=', firstDay)
        .where('day', '<=', lastDay)
        .groupBy('account_id')
        .execute();
      return new Map(rows.map(({ account_id, used }) => [account_id, used]));
    },
  };
}
