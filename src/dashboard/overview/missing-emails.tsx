import { DataTable } from '../components/data-table.tsx';
import { Time } from '../components/time.tsx';
import type { DashboardStatus } from '../dashboard-dependencies.ts';
import { formatCount } from './format.ts';

type Group = DashboardStatus['missingEmails'][number];

/** The number of the most frequent entries that are shown. `/metrics` has the others. */
const MAX_ROWS = 20;

/** Signups without an email at the place of their route, each with the line of YAML that corrects the route. */
export function MissingEmails({ groups }: { readonly groups: readonly Group[] }) {
  if (groups.length === 0) return null;
  const isForwarding = groups.some((group) => group.isForwarding);
  return (
    <section>
      <h2>Signups without an email in the expected field</h2>
      <p class="hint">
        Counted since Gatekeeper started. Each row is a set of fields that arrived together in a signup. At
        most 20 sets of each route are listed; <code>/metrics</code> counts all. Does the app read the email
        from one of these fields? Then add the line of the last column to the route in the configuration.{' '}
        {isForwarding &&
          'On some of these routes, the expected field has never contained an email; its name may be wrong. Until a signup with an email in that field arrives, a missing email alone does not lead to a refusal there.'}
      </p>
      <DataTable
        caption="Signups without an email"
        cards
        columns={['Route', 'Fields found', 'Count', 'Last seen', 'Line for the configuration']}
        numeric={['Count']}
      >
        {groups.slice(0, MAX_ROWS).map((group) => (
          <tr key={`${group.route} ${group.fields.join(',')}`}>
            <th scope="row">{group.route}</th>
            <td>{group.fields.join(', ') || 'none'}</td>
            <td class="number">{formatCount(group.count)}</td>
            <td class="brief">
              <Time at={group.lastAt} />
            </td>
            <td>
              {group.proposal === null ? 'no field looks like an email' : <code>{group.proposal}</code>}
            </td>
          </tr>
        ))}
      </DataTable>
    </section>
  );
}
