import { describeSkew, findNodeIssues, isAlive } from '../../storage/fleet/node-issues.ts';
import type { FleetNode } from '../../storage/fleet/node-store.ts';
import { DataTable } from '../components/data-table.tsx';
import { Notice } from '../components/notice.tsx';
import { Time } from '../components/time.tsx';
import { formatCount } from './format.ts';

const SECOND_MS = 1_000;
/** The texts for services that do not answer a node, by the word in its report. */
const DEGRADED: Readonly<Record<string, string>> = {
  counters: 'counts alone',
  configuration: 'configuration refused',
  restart: 'waits for a restart',
  dns: 'gets no DNS answers',
  mail: 'cannot send mails',
};

/** Warns about wrong clocks and about nodes that judge differently. */
export function NodeIssues({ nodes }: { readonly nodes: readonly FleetNode[] }) {
  return (
    <>
      {findNodeIssues(nodes).map(({ message }) => (
        <Notice key={message} kind="warning">
          <p>{message}</p>
        </Notice>
      ))}
    </>
  );
}

/** The processes that share these records. */
export function Nodes({ nodes }: { readonly nodes: readonly FleetNode[] }) {
  return (
    <section id="nodes">
      <h2>Nodes</h2>
      <p class="hint">
        The processes of Gatekeeper that use the same database, by machine and process id. Each reports every
        five seconds. A process that stopped stays in this list for ten minutes.
      </p>
      <DataTable
        caption="Nodes"
        cards
        columns={['Node', 'State', 'Version', 'Started', 'Configuration', 'Data', 'Clock', 'Last report']}
        numeric={['Last report']}
      >
        {nodes.map((node) => (
          <tr key={node.id}>
            <th scope="row">{node.name}</th>
            <td class={isAlive(node) ? 'brief' : 'brief error'}>{stateOf(node)}</td>
            <td class="brief">{node.version}</td>
            <td class="brief">
              <Time at={node.startedAt} />
            </td>
            <td class="brief">
              <code>{node.configuration}</code>
            </td>
            <td class="brief">
              <code>{node.data}</code>
            </td>
            <td class="brief">{clockOf(node)}</td>
            <td class="number brief">{formatCount(Math.round(node.seenAgoMs / SECOND_MS))} s ago</td>
          </tr>
        ))}
      </DataTable>
    </section>
  );
}

function stateOf(node: FleetNode): string {
  if (!isAlive(node)) return 'silent';
  const words = node.degraded.map((word) => DEGRADED[word] ?? word);
  return words.length === 0 ? 'serves' : words.join(', ');
}

function clockOf({ clockSkewMs }: FleetNode): string {
  if (clockSkewMs === null) return 'not measured';
  return Math.abs(clockSkewMs) < SECOND_MS ? 'right' : describeSkew(clockSkewMs);
}
