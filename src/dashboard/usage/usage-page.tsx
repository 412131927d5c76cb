import type { PlanLimits } from '../../accounts/plan-limits.ts';
import type { Account } from '../../storage/accounts/account-store.ts';
import { CHART_SCRIPTS, ChartTable } from '../components/chart-table.tsx';
import { DataTable } from '../components/data-table.tsx';
import { Figure } from '../components/defined.tsx';
import { EmptyState, Notice } from '../components/notice.tsx';
import { Time } from '../components/time.tsx';
import { sendPage } from '../page.tsx';
import type { DashboardContext } from '../router.ts';
import { countText, UsageMeter } from './usage-meter.tsx';

export interface KeyUsage {
  readonly name: string;
  readonly used: number;
}

export interface UsageView {
  readonly account: Account;
  readonly isOwn: boolean;
  readonly planLimits: PlanLimits;
  readonly used: number;
  readonly resetsAt: number;
  /** Every day of the month up to today, by its start (UTC). */
  readonly days: readonly { readonly at: number; readonly used: number }[];
  readonly keys: readonly KeyUsage[];
}

const WARNING_SHARE = 0.8;

export function sendUsagePage(context: DashboardContext, view: UsageView): void {
  const { account, isOwn, planLimits, used, resetsAt, keys } = view;
  const { perMonth, perMinute } = planLimits;
  const title = isOwn ? 'Usage' : `Usage of ${account.name}`;
  sendPage(context, {
    title,
    scripts: CHART_SCRIPTS,
    content: (
      <>
        <div class="heading">
          <h1>{title}</h1>
          <p>
            <a href={isOwn ? '/keys' : `/keys?account=${account.id}`}>Keys</a>
          </p>
        </div>
        <NearTheEnd view={view} />
        <div class="figures">
          <Figure
            id="used"
            name="Used this month"
            value={countText(used)}
            definition="Signups scored for the keys of this account and answered with 200 since the first day of the month (UTC). Refused requests, repeated answers and test keys do not count."
          />
          <Figure
            id="limit"
            name={`Plan ${planLimits.plan}`}
            value={perMonth === null ? 'no limit' : countText(perMonth)}
            definition={`The plan's limit for a calendar month (UTC)${perMinute === null ? '' : `, and ${countText(perMinute)} per minute`}. An operator sets the plan of an account.`}
          />
          <Figure
            id="left"
            name="Left"
            value={perMonth === null ? 'no limit' : countText(Math.max(0, perMonth - used))}
            definition="At zero, requests get 429 quota_exceeded until the next month."
          />
        </div>
        <div class="panel">
          {perMonth !== null && (
            <>
              <p>
                {countText(used)} of {countText(perMonth)} used
              </p>
              <UsageMeter used={used} limit={perMonth} of={account.name} />
            </>
          )}
          <p>
            The count resets at <Time at={resetsAt} exact="minute" />.
          </p>
        </div>
        <h2>By day</h2>
        <ChartTable
          caption="Scored signups by day"
          unit="day"
          columns={[{ name: 'scored', colour: 'other' }]}
          rows={view.days.map(({ at, used: scored }) => ({ at, values: [scored] }))}
        />
        <h2>By key</h2>
        {keys.length === 0 ? (
          <EmptyState title="No scored signups this month">
            <p>
              {isOwn ? (
                <>
                  <a href="/keys">Create a key</a> and run the command that its page shows.
                </>
              ) : (
                'No key of this account was used this month.'
              )}
            </p>
          </EmptyState>
        ) : (
          <KeysTable keys={keys} />
        )}
      </>
    ),
  });
}

function NearTheEnd({ view: { used, planLimits, resetsAt } }: { readonly view: UsageView }) {
  const { perMonth } = planLimits;
  if (perMonth === null || used < perMonth * WARNING_SHARE) return null;
  return (
    <Notice kind={used >= perMonth ? 'error' : 'warning'}>
      <p>
        {used >= perMonth
          ? 'The quota is used up. Requests are refused until '
          : 'More than 80 % of the quota is used. It resets at '}
        <Time at={resetsAt} exact="minute" />.
      </p>
    </Notice>
  );
}

function KeysTable({ keys }: Pick<UsageView, 'keys'>) {
  return (
    <DataTable
      caption="Scored signups by key"
      columns={['Key', 'Scored this month']}
      numeric={['Scored this month']}
    >
      {keys.map(({ name, used }) => (
        <tr key={name}>
          <td class="long">{name}</td>
          <td class="number">{countText(used)}</td>
        </tr>
      ))}
    </DataTable>
  );
}
