import { isOld } from '../../datasets/feed-age.ts';
import { DataTable } from '../components/data-table.tsx';
import { Time } from '../components/time.tsx';
import type { DashboardStatus } from '../dashboard-dependencies.ts';
import { formatCount } from './format.ts';

const DAY_MS = 86_400_000;

/** The data sets that the judge uses, with their age. */
export function Datasets({ status, now }: { readonly status: DashboardStatus; readonly now: number }) {
  return (
    <section id="data-sets">
      <h2>Data sets</h2>
      <p class="hint">
        Facts about domains, networks and browsers. Built-in data sets come with each release of Gatekeeper.
        Feeds are fetched at the interval <code>datasets.refresh</code>. A feed is old when its last fetch is
        older than twice this interval and a day, or a week without an interval. Revision of all data sets:{' '}
        <code>{status.dataRevision}</code>.
      </p>
      <DataTable
        caption="Data sets"
        cards
        columns={['Data set', 'Source', 'Date', 'Age', 'Entries', 'Revision', 'Last fetch']}
        numeric={['Age', 'Entries']}
      >
        {status.datasets.map(({ name, source, date, entries, revision, fetchedAt, failure, oldAfterMs }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td class="long">{source}</td>
            <td class="brief">{date}</td>
            <td class={isOld({ fetchedAt, oldAfterMs }, now) ? 'number brief error' : 'number brief'}>
              {ageOf(fetchedAt ?? Date.parse(date), now)}
              {isOld({ fetchedAt, oldAfterMs }, now) && ' (old)'}
            </td>
            <td class="number">{formatCount(entries)}</td>
            <td class="brief">
              <code>{revision}</code>
            </td>
            <td>
              {fetchedAt === null ? <span class="nothing">none</span> : <Time at={fetchedAt} />}
              {failure !== null && <p class="error">{failure}</p>}
            </td>
          </tr>
        ))}
      </DataTable>
    </section>
  );
}

function ageOf(since: number, now: number): string {
  if (Number.isNaN(since)) return 'never';
  const days = Math.max(0, Math.floor((now - since) / DAY_MS));
  return days === 1 ? '1 day' : `${days} days`;
}
