import type { ExplainedFactor, Explanation } from '../../assessment/explain.ts';
import { REASONS } from '../../assessment/reasons.ts';
import type { Examinations } from '../../assessment/score.ts';
import { LevelBadge } from '../components/badges.tsx';
import { DataTable } from '../components/data-table.tsx';
import { CAP_REASONS, FACTOR_NAMES } from './factor-names.ts';

/** How the numbers came about, line by line, so that anybody can do the sum again. */
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
    <section class="panel" aria-labelledby="arithmetic">
      <h2 id="arithmetic">The arithmetic</h2>
      <DataTable caption="How each factor came to its score" columns={['Factor', 'Sum', 'Score', 'Share']}>
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
            ? 'No factor was evaluated, so there is no mean: 50 stands for not knowing.'
            : `Weighted mean of what was evaluated, before lists: ${rounded(mean)}, rounded half up ${roundedHalfUp(mean)}.`}
        </li>
        {caps.map(({ cap, limit, because }) => (
          <li key={cap}>
            Held at {limit} or less ({CAP_REASONS[cap]}:{' '}
            {because.map((one) => one.replaceAll('_', ' ')).join(', ')}).
          </li>
        ))}
        {isHeldAtMedium(explanation) && (
          <li>
            Not below {score}: what strangers can bring about asks for verification at most, and the rest
            gives more.
          </li>
        )}
        {listed && <li>A list stands above all that: {score}.</li>}
        <li>
          <strong>
            Trust score {score} <LevelBadge level={explanation.risk_level} />
          </strong>
        </li>
      </ol>
    </section>
  );
}

/** Strangers alone would have pressed the score lower. */
function isHeldAtMedium({ factors, mean, caps, trust_score: score }: Explanation): boolean {
  if (mean === null || factors.some(({ state }) => state === 'listed')) return false;
  return score > Math.min(roundedHalfUp(mean), ...caps.map(({ limit }) => limit));
}

/** What would have been without one finding. */
export function Counterfactuals({ explanation }: { readonly explanation: Explanation }) {
  const { counterfactual, risk_level: level } = explanation;
  const changing = counterfactual.filter((row) => row.risk_level !== level);
  return (
    <section class="panel" aria-labelledby="counterfactuals">
      <h2 id="counterfactuals">What would have changed the level</h2>
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
  if (findings === 0) return 'Nothing spoke against this signup: there is nothing to leave out.';
  if (changing === 0) return 'No single finding: leaving any one of them out gives the same level.';
  return 'Each line leaves one finding out and does the sum again.';
}

function sumOf({ factor, state, findings, score }: ExplainedFactor, examinations: Examinations): string {
  const examination = examinations[factor];
  if (!examination) return state === 'listed' ? `a list: ${score}` : 'not evaluated';
  const { classification, base = baseOf(classification) } = examination;
  const taken = findings.filter(({ points }) => points > 0);
  const parts = [`${base} (${classification})`, ...taken.map(({ points, code }) => `− ${points} (${code})`)];
  const sum = taken.reduce((rest, { points }) => rest - points, base);
  if (sum < 0) parts.push('not below 0');
  return state === 'listed' ? `${parts.join(' ')}; a list makes it ${score}` : parts.join(' ');
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
