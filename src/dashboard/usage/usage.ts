import { monthAround, planLimitsOf } from '../../accounts/plan-limits.ts';
import type { Account } from '../../storage/accounts/account-store.ts';
import { signedIn, viewerOf } from '../access.ts';
import type { DashboardDependencies } from '../dashboard-dependencies.ts';
import { findAccounts } from '../find-accounts.ts';
import { notThere } from '../page-error.ts';
import { queryText } from '../query-text.ts';
import type { DashboardContext, DashboardRouter } from '../router.ts';
import { sendAllUsagePage } from './all-usage-page.tsx';
import { type KeyUsage, sendUsagePage } from './usage-page.tsx';

const DAY_MS = 86_400_000;

/** Usage of the plan this month. Members see their own account, operators see every account. */
export function registerUsage(router: DashboardRouter, dependencies: DashboardDependencies): void {
  router.get('/usage', signedIn, async (context) => {
    const { accountId, role } = viewerOf(context);
    const wantedId = queryText(context, 'account');
    if (role === 'operator' && wantedId === '') return showAll(context, dependencies);
    if (role !== 'operator' && wantedId !== '' && wantedId !== accountId) throw notThere();
    const account = await dependencies.records.accounts.find(wantedId || accountId);
    if (!account) throw notThere();
    await showOne(context, account, dependencies);
  });
}

async function showOne(
  context: DashboardContext,
  account: Account,
  { records, config, clock }: DashboardDependencies,
): Promise<void> {
  const now = clock();
  const [{ used, days }, byKey, keys] = await Promise.all([
    records.quotas.usage(account.id, now),
    records.quotas.usageByKey(account.id, now),
    records.apiKeys.listOf(account.id),
  ]);
  const names = new Map(keys.map((key) => [key.id, `${key.name} (…${key.lastFour})`]));
  const { endsAt, lengthMs } = monthAround(now);
  const usedOn = new Map(days.map((day) => [day.date, day.used]));
  sendUsagePage(context, {
    account,
    isOwn: account.id === viewerOf(context).accountId,
    planLimits: planLimitsOf(account.plan, config().api.plans),
    used,
    resetsAt: endsAt,
    days: daysBetween(endsAt - lengthMs, now).map((at) => ({ at, used: usedOn.get(isoDay(at)) ?? 0 })),
    keys: [...byKey]
      .map(([id, usedByKey]): KeyUsage => ({ name: nameOf(id, names), used: usedByKey }))
      .sort((a, b) => b.used - a.used),
  });
}

async function showAll(
  context: DashboardContext,
  { records, config, clock }: DashboardDependencies,
): Promise<void> {
  const now = clock();
  const { accounts, ...page } = await findAccounts(context, records.accounts);
  const used = await records.quotas.usageOf(
    accounts.map(({ id }) => id),
    now,
  );
  sendAllUsagePage(context, {
    rows: accounts.map((account) => ({
      account,
      used: used.get(account.id) ?? 0,
      perMonth: planLimitsOf(account.plan, config().api.plans).perMonth,
    })),
    resetsAt: monthAround(now).endsAt,
    ...page,
  });
}

function nameOf(id: string, names: ReadonlyMap<string, string>): string {
  if (id === '') return 'before usage was counted per key';
  const configured = /^configured (.+)$/s.exec(id)?.[1];
  return (
    names.get(id) ?? (configured === undefined ? 'a deleted key' : `${configured} (from the configuration)`)
  );
}

/** The start of each day from the first of the month to the day of `now`, UTC. */
function daysBetween(first: number, now: number): number[] {
  const count = Math.floor((now - first) / DAY_MS) + 1;
  return Array.from({ length: count }, (_, day) => first + day * DAY_MS);
}

function isoDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
