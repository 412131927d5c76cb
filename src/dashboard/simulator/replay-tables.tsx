import { REASONS } from '../../assessment/reasons.ts';
import { type LevelMatrix, RISK_LEVELS } from '../../simulation/comparison.ts';
import { type JudgementCounts, type LevelCounts, sumOf } from '../../simulation/judgement-counts.ts';
import type { Afterwards, Replay, ReplayedDecision } from '../../simulation/replay-decisions.ts';
import { LevelBadge } from '../components/badges.tsx';
import { DataTable } from '../components/data-table.tsx';
import { Domain } from '../components/mailbox.tsx';
import { Time } from '../components/time.tsx';
import { LevelBar } from './level-bar.tsx';

const REASONS_SHOWN = 10;
const MATRIX_COLUMNS = ['New: low', 'New: medium', 'New: high', 'Total'];
const AFTERWARDS_COLUMNS = ['Treated', 'Decisions', 'Verified', 'Expired', 'Locked', 'Legitimate', 'Fraud'];

export function Levels({ replay: { comparison, after, decisions } }: { readonly replay: Replay }) {
  const before = levelsBefore(comparison.matrix);
  return (
    <>
      <h3>Levels</h3>
      <p class="hint">Recorded levels</p>
      <LevelBar levels={before} longest={decisions} name="Recorded levels" />
      <p class="hint">Levels with this policy</p>
      <LevelBar levels={after.levels} longest={decisions} name="Levels with this policy" />
      <DataTable
        caption="Recorded level (rows) and level with this policy (columns)"
        columns={['Recorded level', ...MATRIX_COLUMNS]}
        numeric={MATRIX_COLUMNS}
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
          <th scope="row">Total with this policy</th>
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

export function AfterwardsTable(props: {
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
          <td class="number" key={AFTERWARDS_COLUMNS[column + 1]}>
            {count(value)}
          </td>
        ),
      )}
    </tr>
  );
  return (
    <>
      <h3>Outcomes and labels of signups with another risk level</h3>
      <DataTable
        caption="Outcomes and labels of decisions that would change"
        columns={AFTERWARDS_COLUMNS}
        cards
        numeric={AFTERWARDS_COLUMNS.slice(1)}
      >
        {row('Stricter', stricter, replay.stricter)}
        {row('Milder', milder, replay.milder)}
      </DataTable>
    </>
  );
}

export function Doubts({ counts: { doubts } }: { readonly counts: JudgementCounts }) {
  const top = [...doubts].sort((a, b) => sumOf(b[1]) - sumOf(a[1])).slice(0, REASONS_SHOWN);
  if (top.length === 0) return null;
  return (
    <>
      <h3>Reasons with this policy</h3>
      <DataTable
        caption="How often each reason occurs, by the new risk level of the signup"
        columns={['Reason', ...RISK_LEVELS]}
        numeric={RISK_LEVELS}
      >
        {top.map(([code, counts]) => (
          <tr key={code}>
            <td class="short">
              <a href={`/decisions?code=${code}`} title={REASONS[code].description}>
                <code>{code}</code>
              </a>
            </td>
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

export function Examples({ examples }: { readonly examples: readonly ReplayedDecision[] }) {
  if (examples.length === 0) return <p>No signup would change its risk level.</p>;
  return (
    <>
      <h3>Signups with another risk level</h3>
      <DataTable
        caption="The newest signups of each change"
        columns={['Time', 'Recorded level', 'New level', 'Reasons', 'Domain', 'Network', 'Outcome']}
        cards
      >
        {examples.map(({ requestId, processedAt, before, after, domain, network, outcome, label }) => (
          <tr key={requestId}>
            <td>
              <a href={`/decisions/${requestId}`}>
                <Time at={processedAt} />
              </a>
            </td>
            <td class="short">
              {before.trustScore} <LevelBadge level={before.riskLevel} />
            </td>
            <td class="short">
              {after.trustScore} <LevelBadge level={after.riskLevel} />
            </td>
            <td class="long">
              <code>{after.reasons.join(' ')}</code>
            </td>
            <td>{domain === null ? <span class="nothing">none</span> : <Domain text={domain} />}</td>
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

function levelsBefore(matrix: LevelMatrix): LevelCounts {
  return { low: sumOf(matrix.low), medium: sumOf(matrix.medium), high: sumOf(matrix.high) };
}

export function count(value: number): string {
  return value.toLocaleString('en');
}
