import { REASONS } from '../../assessment/reasons.ts';
import { type LevelMatrix, movesOf, RISK_LEVELS } from '../../simulation/comparison.ts';
import type { Afterwards, Replay, ReplayedDecision } from '../../simulation/replay-decisions.ts';
import { type LevelCounts, sumOf } from '../../simulation/tally.ts';
import { LevelBadge } from '../components/badges.tsx';
import { DataTable } from '../components/data-table.tsx';
import { Figure } from '../components/defined.tsx';
import { EmptyState, Notice } from '../components/notice.tsx';
import { Time } from '../components/time.tsx';
import { LevelBar } from './level-bar.tsx';

export interface Outcome {
  readonly replay: Replay;
  /** What to paste into the configuration file; empty when nothing is changed. */
  readonly yaml: string;
  /** Milliseconds since the epoch: how far back was asked for. */
  readonly since: number;
}

const REASONS_SHOWN = 10;

/** What the simulation came to, from the figures to single decisions. */
export function ReplayResults({ outcome: { replay, yaml, since } }: { readonly outcome: Outcome }) {
  if (replay.decisions === 0) {
    return (
      <EmptyState title="There was nothing to look at">
        <p>
          No signup was decided since <Time at={since} /> where you looked: go back further, or look at all
          signups.
        </p>
      </EmptyState>
    );
  }
  const { stricter, milder } = movesOf(replay.comparison.matrix);
  return (
    <section aria-labelledby="results">
      <h2 id="results">What would have happened</h2>
      {replay.isLimited && (
        <Notice kind="warning">
          <p>
            There are more decisions than can be simulated at once. These are the newest{' '}
            {count(replay.decisions)}, back to <Time at={replay.from ?? since} />.
          </p>
        </Notice>
      )}
      <div class="figures">
        <Figure
          id="judged"
          name="Decisions"
          value={count(replay.decisions)}
          definition="Decisions that were scored once more. Those of test keys are left out."
        />
        <Figure
          id="stricter"
          name="More strictly"
          value={count(stricter)}
          definition="Decisions at a higher level of risk than they were given at the time."
        />
        <Figure
          id="milder"
          name="More mildly"
          value={count(milder)}
          definition="Decisions at a lower level of risk than they were given at the time."
        />
      </div>
      <Levels replay={replay} />
      <AfterwardsTable replay={replay} stricter={stricter} milder={milder} />
      <Doubts replay={replay} />
      <Examples examples={replay.examples} />
      <Yaml yaml={yaml} />
    </section>
  );
}

function Levels({ replay: { comparison, after, decisions } }: { readonly replay: Replay }) {
  const before = levelsBefore(comparison.matrix);
  return (
    <>
      <h3>Levels</h3>
      <p class="hint">At the time</p>
      <LevelBar levels={before} longest={decisions} name="At the time" />
      <p class="hint">With this policy</p>
      <LevelBar levels={after.levels} longest={decisions} name="With this policy" />
      <DataTable
        caption="From the level at the time (rows) to the level with this policy (columns)"
        columns={['At the time', 'to low', 'to medium', 'to high', 'All at the time']}
      >
        {RISK_LEVELS.map((from) => (
          <tr key={from}>
            <th scope="row">
              <LevelBadge level={from} />
            </th>
            {RISK_LEVELS.map((to) => (
              <td class="number" key={to}>
                {from === to ? (
                  count(comparison.matrix[from][to])
                ) : (
                  <strong>{count(comparison.matrix[from][to])}</strong>
                )}
              </td>
            ))}
            <td class="number">{count(before[from])}</td>
          </tr>
        ))}
        <tr>
          <th scope="row">All with this policy</th>
          {RISK_LEVELS.map((to) => (
            <td class="number" key={to}>
              {count(after.levels[to])}
            </td>
          ))}
          <td class="number">{count(decisions)}</td>
        </tr>
      </DataTable>
    </>
  );
}

function AfterwardsTable(props: {
  readonly replay: Replay;
  readonly stricter: number;
  readonly milder: number;
}) {
  const { replay, stricter, milder } = props;
  const row = (name: string, total: number, counts: Afterwards) => (
    <tr>
      <th scope="row">{name}</th>
      {[total, counts.verified, counts.expired, counts.locked, counts.legitimate, counts.fraud].map(
        (value, column) => (
          <td class="number" key={COLUMNS[column + 1]}>
            {count(value)}
          </td>
        ),
      )}
    </tr>
  );
  return (
    <>
      <h3>What became of those that are treated differently</h3>
      <DataTable caption="Outcomes and labels of decisions that would change" columns={COLUMNS}>
        {row('More strictly', stricter, replay.stricter)}
        {row('More mildly', milder, replay.milder)}
      </DataTable>
    </>
  );
}

const COLUMNS = [
  'Treated',
  'Decisions',
  'Verified',
  'Expired',
  'Locked',
  'Labelled legitimate',
  'Labelled fraud',
];

function Doubts({ replay: { after } }: { readonly replay: Replay }) {
  const top = [...after.doubts].sort((a, b) => sumOf(b[1]) - sumOf(a[1])).slice(0, REASONS_SHOWN);
  if (top.length === 0) return null;
  return (
    <>
      <h3>What speaks against signups with this policy</h3>
      <DataTable
        caption="Reasons of factors at medium or high risk, by the level of the whole"
        columns={['Reason', ...RISK_LEVELS]}
      >
        {top.map(([code, counts]) => (
          <tr key={code}>
            <th scope="row">
              <a href={`/decisions?code=${code}`} title={REASONS[code].description}>
                <code>{code}</code>
              </a>
            </th>
            {RISK_LEVELS.map((level) => (
              <td class="number" key={level}>
                {count(counts[level])}
              </td>
            ))}
          </tr>
        ))}
      </DataTable>
    </>
  );
}

function Examples({ examples }: { readonly examples: readonly ReplayedDecision[] }) {
  if (examples.length === 0) return <p>Nobody would have been treated differently.</p>;
  return (
    <>
      <h3>Who would have been treated differently</h3>
      <DataTable
        caption="The newest of each move"
        columns={['Time', 'At the time', 'With this policy', 'Reasons', 'Domain', 'Network', 'Afterwards']}
      >
        {examples.map(({ requestId, processedAt, before, after, domain, network, outcome, label }) => (
          <tr key={requestId}>
            <td>
              <a href={`/decisions/${requestId}`}>
                <Time at={processedAt} />
              </a>
            </td>
            <td>
              {before.trustScore} <LevelBadge level={before.riskLevel} />
            </td>
            <td>
              {after.trustScore} <LevelBadge level={after.riskLevel} />
            </td>
            <td>
              <code>{after.reasons.join(' ')}</code>
            </td>
            <td class="long">{domain ?? <span class="nothing">none</span>}</td>
            <td>{network}</td>
            <td>
              {outcome} {label}
            </td>
          </tr>
        ))}
      </DataTable>
    </>
  );
}

function Yaml({ yaml }: { readonly yaml: string }) {
  return (
    <>
      <h3>To make it so</h3>
      {yaml === '' ? (
        <p>This is the policy of now: there is nothing to change in the configuration.</p>
      ) : (
        <>
          <p>Put this into the configuration file; it is taken over within seconds.</p>
          <pre>
            <code>{yaml}</code>
          </pre>
        </>
      )}
    </>
  );
}

function levelsBefore(matrix: LevelMatrix): LevelCounts {
  return { low: sumOf(matrix.low), medium: sumOf(matrix.medium), high: sumOf(matrix.high) };
}

function count(value: number): string {
  return value.toLocaleString('en');
}
