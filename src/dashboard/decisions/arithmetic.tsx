import type { ExplainedFactor, Explanation } from '../../assessment/explain.ts';
import { REASONS } from '../../assessment/reasons.ts';
import type { Examinations } from '../../assessment/score.ts';
import { LevelBadge } from '../components/badges.tsx';
import { DataTable } from '../components/data-table.tsx';
import { CAP_REASONS, FACTOR_NAMES } from './factor-names.ts';

/** The computation of the score, line by line, so a reader can check it. */
export function Arithmetic({
  explanation,
  examinations,
}: {
  readonly explanation: Explanation;
  readonly examinations: Examinations;
}) {
  const { factors, mean, caps, trust_score: score } = explanation;
  const listed = factors.find(({ state }) => state === 'listed');
  return (
    <>
      <DataTable caption="Score of each factor" columns={['Factor', 'Sum', 'Score', 'Share']}>
        {factors.map((factor) => (
          <tr key={factor.factor}>
            <th scope="row">{FACTOR_NAMES[factor.factor]}</th>
            <td class="long">{sumOf(factor, examinations)}</td>
            <td>{factor.state === 'not_evaluated' ? '–' : factor.score}</td>
            <td>{`${Math.round(factor.weight * 1_000) / 10} %`}</td>
          </tr>
        ))}
      </DataTable>
      <ol>
        <li>
          {mean === null
            ? 'No factor was evaluated, so there is no mean. The score is 50.'
            : `Weighted mean of the evaluated factors, before lists: ${rounded(mean)}, rounded to ${roundedHalfUp(mean)}.`}
        </li>
        {caps.map(({ cap, limit, because }) => (
          <li key={cap}>
            Capped at {limit} ({CAP_REASONS[cap]}: {because.map(causeOf).join(', ')}).
          </li>
        ))}
        {isHeldAtMedium(explanation) && (
          <li>
            Not below {score}: without the findings that other people can cause, the signup is not at high
            risk.
          </li>
        )}
        {listed && <li>A list entry overrides the score: {score}.</li>}
        <li>
          <strong>
            Trust score {score} <LevelBadge level={explanation.risk_level} />
          </strong>
        </li>
      </ol>
    </>
  );
}

/** The name of a factor, or the code of a finding in words. */
function causeOf(cause: string): string {
  const names: Readonly<Record<string, string>> = FACTOR_NAMES;
  return names[cause] ?? cause.replaceAll('_', ' ');
}

/** Whether shared findings alone would lower the score further. */
function isHeldAtMedium({ factors, mean, caps, trust_score: score }: Explanation): boolean {
  if (mean === null || factors.some(({ state }) => state === 'listed')) return false;
  return score > Math.min(roundedHalfUp(mean), ...caps.map(({ limit }) => limit));
}

/** The score and level without each finding. */
export function Counterfactuals({ explanation }: { readonly explanation: Explanation }) {
  const { counterfactual, risk_level: level } = explanation;
  const changing = counterfactual.filter((row) => row.risk_level !== level);
  return (
    <section aria-labelledby="counterfactuals">
      <h3 id="counterfactuals">Findings that decide the level</h3>
      <p>{summaryOf(counterfactual.length, changing.length)}</p>
      {counterfactual.length > 0 && (
        <DataTable caption="The score without one finding" columns={['Without', 'Score', 'Level']}>
          {counterfactual.map((row) => (
            <tr key={row.without}>
              <th scope="row">
                <code>{row.without}</code>
              </th>
              <td>{row.trust_score}</td>
              <td>
                <LevelBadge level={row.risk_level} />
              </td>
            </tr>
          ))}
        </DataTable>
      )}
    </section>
  );
}

function summaryOf(findings: number, changing: number): string {
  if (findings === 0) return 'This signup has no findings against it.';
  if (changing === 0)
    return 'No single finding decides the level. Without any one finding, the level is the same.';
  return 'Each row shows the score without one finding.';
}

function sumOf({ factor, state, findings, score }: ExplainedFactor, examinations: Examinations): string {
  const examination = examinations[factor];
  if (!examination) return state === 'listed' ? `list entry: ${score}` : 'not evaluated';
  const { classification, base = baseOf(classification) } = examination;
  const taken = findings.filter(({ points }) => points > 0);
  const parts = [`${base} (${classification})`, ...taken.map(({ points, code }) => `− ${points} (${code})`)];
  const sum = taken.reduce((rest, { points }) => rest - points, base);
  if (sum < 0) parts.push('not below 0');
  return state === 'listed' ? `${parts.join(' ')}; a list entry sets ${score}` : parts.join(' ');
}

function baseOf(classification: NonNullable<Examinations['email']>['classification']): number {
  return REASONS[classification].base;
}

function roundedHalfUp(value: number): number {
  return Math.floor(Number(value.toFixed(6)) + 0.5);
}

function rounded(value: number): number {
  return Number(value.toFixed(2));
}
