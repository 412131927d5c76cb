import type { Account } from '../../storage/accounts/account-store.ts';
import { AccountList } from '../components/account-list.tsx';
import { DataTable } from '../components/data-table.tsx';
import { Mailbox } from '../components/mailbox.tsx';
import { Time } from '../components/time.tsx';
import { sendPage } from '../page.tsx';
import type { DashboardContext } from '../router.ts';
import { countText, UsageMeter } from './usage-meter.tsx';

export interface AllUsageView {
  readonly rows: readonly {
    readonly account: Account;
    readonly used: number;
    readonly perMonth: number | null;
  }[];
  /** The text to find in names; empty: all accounts. */
  readonly text: string;
  readonly resetsAt: number;
  readonly isFirst: boolean;
  /** The last name of the page before. */
  readonly next: string | null;
}

/** Usage of every account by name, for operators. */
export function sendAllUsagePage(context: DashboardContext, view: AllUsageView): void {
  const { rows, text, resetsAt, isFirst, next } = view;
  sendPage(context, {
    title: 'Usage',
    content: (
      <>
        <h1>Usage</h1>
        <p>
          The scored signups of each account this month. The counts start again <Time at={resetsAt} />.
        </p>
        <AccountList path="/usage" text={text} isFirst={isFirst} next={next} isEmpty={rows.length === 0}>
          <DataTable
            caption="Usage of this month by account"
            cards
            columns={['Account', 'Plan', 'Requests', 'Limit', 'Share']}
            numeric={['Requests', 'Limit']}
          >
            {rows.map(({ account, used, perMonth }) => (
              <tr key={account.id}>
                <td class="long">
                  <a class="opens" href={`/usage?account=${account.id}`}>
                    <Mailbox text={account.name} />
                  </a>
                </td>
                <td>
                  <a href={`/accounts/${account.id}`}>{account.plan}</a>
                </td>
                <td class="number">{countText(used)}</td>
                <td class="number">
                  {perMonth === null ? <span class="nothing">none</span> : countText(perMonth)}
                </td>
                <td>
                  {perMonth === null ? (
                    <span class="nothing">no limit</span>
                  ) : (
                    <UsageMeter used={used} limit={perMonth} of={account.name} />
                  )}
                </td>
              </tr>
            ))}
          </DataTable>
        </AccountList>
      </>
    ),
  });
}
