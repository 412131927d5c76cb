import { monthAround, planLimitsOf } from '../accounts/plan-limits.ts';
import type { Reply } from '../http/reply.ts';
import { authenticate } from './authenticate.ts';
import type { ApiDependencies, Exchange } from './exchange.ts';
import { fromRecords } from './from-records.ts';

/** `GET /usage`: the requests of the key's account in this calendar month (UTC), and the rest of its plan. */
export function createUsageRoute({
  records,
  settings,
}: ApiDependencies): (exchange: Exchange) => Promise<Reply> {
  return async ({ request, receivedAt }) => {
    const { accountId, plan } = await authenticate(request, records.apiKeys, receivedAt);
    const { perMonth } = planLimitsOf(plan, settings().plans);
    const { used, days } = await fromRecords(() => records.quotas.usage(accountId, receivedAt));
    const body = {
      plan,
      limit: perMonth,
      used,
      remaining: perMonth === null ? null : Math.max(0, perMonth - used),
      resets_at: new Date(monthAround(receivedAt).endsAt).toISOString(),
      days,
    };
    return { status: 200, headers: ['Content-Type', 'application/json'], body: JSON.stringify(body) };
  };
}
