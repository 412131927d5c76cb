import { isSignIn } from '../../storage/incidents/site-conditions.ts';
import { DataTable } from '../components/data-table.tsx';
import { Time } from '../components/time.tsx';
import type { DashboardStatus } from '../dashboard-dependencies.ts';
import { formatCount } from './format.ts';

type Group = DashboardStatus['unjudgedSignups'][number];

/** The number of the most frequent entries that are shown. `/metrics` has the others. */
const MAX_ROWS = 20;

/** Requests that look like a signup on a path without a route, each with the route to add. */
export function UnjudgedSignups({ groups }: { readonly groups: readonly Group[] }) {
  if (groups.length === 0) return null;
  const rows = groups
    .toSorted((a, b) => Number(isSignIn(a.path)) - Number(isSignIn(b.path)))
    .slice(0, MAX_ROWS);
  return (
    <section id="unjudged">
      <h2>Requests that look like a signup and were not judged</h2>
      <p class="hint">
        Counted since Gatekeeper started. These requests contain the email field of a route, or an email and a
        password, but no route matches them. If the path creates accounts, add the line to{' '}
        <code>proxy.routes</code>. A sign-in form needs no route.
      </p>
      <DataTable
        caption="Requests that were not judged"
        cards
        columns={['Request', 'Count', 'Last', 'Route to add']}
        numeric={['Count']}
      >
        {rows.map((group) => (
          <tr key={`${group.method} ${group.path}`}>
            <th scope="row">
              {group.method} {group.path}
            </th>
            <td class="number">{formatCount(group.count)}</td>
            <td class="brief">
              <Time at={group.lastAt} />
            </td>
            <td>
              {group.isReadable ? (
                <code>{routeLine(group)}</code>
              ) : (
                <>
                  The gate cannot read this format: call <code>POST /score-signup</code> from the app
                </>
              )}
            </td>
          </tr>
        ))}
      </DataTable>
    </section>
  );
}

/** Without the condition, the route would judge the other forms of its path as signups without an email. */
function routeLine({ path, email, sharesPath }: Group): string {
  const name = path.replace(/[^a-z0-9]+/gi, '-').replace(/^-|-$/g, '') || 'root';
  const when = sharesPath ? `when: {${JSON.stringify(email)}: {exists: true}}, ` : '';
  return `- {name: ${name}, path: ${JSON.stringify(path)}, ${when}email: ${JSON.stringify(email)}}`;
}
