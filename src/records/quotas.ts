import { monthOf, utcDay } from './calendar.ts';
import type { RecordsEngine } from './engine.ts';
import type { Quotas } from './records.ts';

/** What was counted, for people to see. Taking places is the ledger's. */
export function createQuotas({ db }: RecordsEngine): Quotas {
  return {
    async usage(accountId, now) {
      const { firstDay, lastDay } = monthOf(utcDay(now));
      const rows = await db
        .selectFrom('usage_days')
        .select(['day as date', 'used'])
        .where('account_id', '=', accountId)
        .where('day', '>=', firstDay)
        .where('day', '<=', lastDay)
        .orderBy('day')
        .execute();
      return { used: rows.reduce((sum, { used }) => sum + used, 0), days: rows };
    },
  };
}
