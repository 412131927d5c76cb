import { DataTable } from '../components/data-table.tsx';
import { Time } from '../components/time.tsx';
import type { DashboardStatus } from '../dashboard-dependencies.ts';
import { formatCount } from './format.ts';

type Group = DashboardStatus['unjudgedSignups'][number];

/** Enough to act on; `/metrics` has the rest. */
const MAX_ROWS = 20;
/** Forms with an email and a password that sign nobody up, in most apps. */
const SIGN_IN = /log-?in|sign-?in|session|token|auth|password|passwd|reset|forgot/i;

/** Where signups may go around the routes, with the line of configuration that closes it. */
export function UnjudgedSignups({ groups }: { readonly groups: readonly Group[] }) {
  if (groups.length === 0) return null;
  const rows = groups
    .toSorted((a, b) => Number(SIGN_IN.test(a.path)) - Number(SIGN_IN.test(b.path)))
    .slice(0, MAX_ROWS);
  return (
    <section>
      <h2>Requests that look like a signup and were not judged</h2>
      <p class="hint">
        Since the start. Their bodies have the email field of a route, or an email and a password, and no
        route matches them. If an address signs people up, add the line under <code>proxy.routes</code>; a
        sign-in form needs none.
      </p>
      <DataTable
        caption="Requests that were not judged"
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
              <code>{routeLine(group)}</code>
            </td>
          </tr>
        ))}
      </DataTable>
    </section>
  );
}

function routeLine({ path, email }: Group): string {
  const name = path.replace(/[^a-z0-9]+/gi, '-').replace(/^-|-$/g, '') || 'root';
  return `- {name: ${name}, path: ${JSON.stringify(path)}, email: ${JSON.stringify(email)}}`;
}
