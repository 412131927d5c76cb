import { DataTable } from '../components/data-table.tsx';
import { Time } from '../components/time.tsx';
import type { Comparison } from './comparison.ts';
import { formatChange, formatCount } from './format.ts';

/** Compares today with the same time last week. */
export function LastWeek({ comparison: { until, figures } }: { readonly comparison: Comparison }) {
  return (
    <section>
      <h2>Today and last week</h2>
      <p class="hint">
        The 24 hours before <Time at={until} brief />, and the same hours a week before.
      </p>
      <DataTable
        caption="Today against the same time last week"
        columns={['Signups', 'Today', 'Last week', 'Change']}
        numeric={['Today', 'Last week', 'Change']}
      >
        {figures.map(({ name, now, before }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td class="number">{formatCount(now)}</td>
            <td class="number">{formatCount(before)}</td>
            <td class="number">{formatChange(now, before)}</td>
          </tr>
        ))}
      </DataTable>
    </section>
  );
}
