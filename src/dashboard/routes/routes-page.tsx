import { FACTORS } from '../../assessment/reasons.ts';
import type { Config, RouteConfig } from '../../config/config.ts';
import type { FleetNode } from '../../storage/fleet/node-store.ts';
import { VERSION } from '../../version.ts';
import { ACTION_WORDS } from '../components/action-words.ts';
import { DataTable } from '../components/data-table.tsx';
import { EmptyState } from '../components/notice.tsx';
import type { DashboardStatus } from '../dashboard-dependencies.ts';
import { FACTOR_NAMES } from '../decisions/factor-names.ts';
import { Datasets } from '../overview/datasets.tsx';
import { formatCount, formatShare } from '../overview/format.ts';
import { Nodes } from '../overview/nodes.tsx';
import { sendPage } from '../page.tsx';
import type { DashboardContext } from '../router.ts';

/** A route with its signups of the last seven days. */
export interface RouteWeek {
  readonly route: RouteConfig;
  readonly signups: number;
  /** The actions taken in enforce mode. */
  readonly passed: number;
  readonly verified: number;
  readonly refused: number;
  /** The wanted actions in monitor mode. */
  readonly watched: number;
  readonly degraded: number;
}

export interface RoutesView {
  readonly weeks: readonly RouteWeek[];
  /** The number of routes that are not shown. */
  readonly hidden: number;
  readonly config: Pick<Config, 'preset' | 'scoring' | 'proxy'>;
  readonly status: DashboardStatus;
  /** Null with SQLite. */
  readonly nodes: readonly FleetNode[] | null;
  readonly now: number;
}

const NUMBERS = ['Signups', 'Let in', 'Verification', 'Refused', 'Monitored', 'Degraded'];

export function sendRoutesPage(context: DashboardContext, view: RoutesView): void {
  const { weeks, hidden, status, nodes, now, config } = view;
  sendPage(context, {
    title: 'Routes',
    content: (
      <>
        <h1>Routes</h1>
        <p>The routes of the gate with their signups of the last 7 days, the policy, and the data sets.</p>
        {weeks.length === 0 ? (
          <EmptyState title="No routes">
            <p>
              Gatekeeper serves only the API. To put it in front of an app, set <code>proxy.upstream</code>{' '}
              and <code>proxy.routes</code>.
            </p>
          </EmptyState>
        ) : (
          <DataTable
            caption="Routes and their last 7 days"
            cards
            columns={['Route', 'Mode', 'Actions', ...NUMBERS]}
            numeric={NUMBERS}
          >
            {weeks.map(rowOf)}
          </DataTable>
        )}
        {hidden > 0 && <p class="hint">{formatCount(hidden)} more routes are not shown.</p>}
        <Policy config={config} />
        {nodes && <Nodes nodes={nodes} />}
        <Datasets status={status} now={now} />
      </>
    ),
  });
}

function rowOf({ route, signups, passed, verified, refused, watched, degraded }: RouteWeek) {
  const { name, methods, path, mode } = route;
  return (
    <tr key={name}>
      <th scope="row" class="long">
        <a class="opens" href={`/decisions?${new URLSearchParams({ route: name, within: 'week' })}`}>
          {name}
        </a>{' '}
        <code>
          {methods?.join(', ') ?? 'POST'} {path}
        </code>
      </th>
      <td>{mode}</td>
      <td class="short">
        {actionsOf(route).map((text) => (
          <span key={text} class="below">
            {text}{' '}
          </span>
        ))}
      </td>
      <td class="number">{formatCount(signups)}</td>
      {[passed, verified, refused, watched, degraded].map((count, i) => (
        <td key={NUMBERS[i + 1]} class="number">
          {formatCount(count)}
          {count > 0 && <span class="faint below"> ({formatShare(count, signups)})</span>}
        </td>
      ))}
    </tr>
  );
}

/** Letting low risk in is what every route does, so it is shown only when the route has own levels or another action. */
function actionsOf({ on_low, on_medium, on_high, levels }: RouteConfig): readonly string[] {
  const from = (score: number | undefined) => (score === undefined ? '' : ` (from ${score})`);
  return [
    ...(on_low === 'forward' && levels === null ? [] : [`low${from(levels?.low)}: ${ACTION_WORDS[on_low]}`]),
    `medium${from(levels?.medium)}: ${ACTION_WORDS[on_medium]}`,
    `high: ${ACTION_WORDS[on_high]}`,
  ];
}

function Policy({ config: { scoring } }: { readonly config: RoutesView['config'] }) {
  const { levels, weights } = scoring;
  return (
    <section aria-labelledby="policy">
      <h2 id="policy">Policy</h2>
      <dl class="facts panel">
        <dt>Low risk</dt>
        <dd>from a score of {levels.low}</dd>
        <dt>Medium risk</dt>
        <dd>from a score of {levels.medium}</dd>
        <dt>Weights</dt>
        <dd>{FACTORS.map((factor) => `${FACTOR_NAMES[factor]} ${weights[factor]}`).join(', ')}</dd>
        <dt>Changes</dt>
        <dd>
          <a href="/audit?act=policy.changed">Audit log</a>, <a href="/simulator">try another policy</a>
        </dd>
        <dt>Version</dt>
        <dd>{VERSION}</dd>
      </dl>
    </section>
  );
}
