import type { ExplainedFactor, ExplainedFinding, Explanation } from '../../assessment/explain.ts';
import type { Policy } from '../../assessment/policy.ts';
import { LevelBadge } from '../components/badges.tsx';
import { FACTOR_NAMES } from './factor-names.ts';
import { withoutRefuted } from './refuted-classifications.ts';

/** The four factors as bars, each with findings that do not contradict each other. */
export function Factors({
  explanation: { factors },
  levels,
}: {
  readonly explanation: Explanation;
  readonly levels: Policy['levels'];
}) {
  return (
    <div class="factors">
      {factors.map((factor) => (
        <section class="panel" key={factor.factor} aria-labelledby={`factor-${factor.factor}`}>
          <h3 id={`factor-${factor.factor}`}>
            {FACTOR_NAMES[factor.factor]} {factor.state === 'not_evaluated' ? '' : factor.score}{' '}
            {factor.state === 'not_evaluated' ? (
              <span class="badge">not evaluated</span>
            ) : (
              <LevelBadge level={factor.risk_level} />
            )}
          </h3>
          {factor.state !== 'not_evaluated' && (
            <meter
              min={0}
              max={100}
              low={levels.medium}
              high={levels.low}
              optimum={100}
              value={factor.score}
              aria-label={`Score of ${FACTOR_NAMES[factor.factor]}, of 100`}
            />
          )}
          <p class="hint">{weightOf(factor)}</p>
          <ul class="findings">
            {withoutRefuted(factor.findings).map((finding) => (
              <Finding key={`${finding.code} ${finding.evidence}`} finding={finding} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function weightOf({ state, weight }: ExplainedFactor): string {
  if (state === 'not_evaluated') return 'Not evaluated, so it has no weight.';
  const percent = `${Math.round(weight * 1_000) / 10} %`;
  return state === 'listed'
    ? `A list entry decides. Without the entry, this factor has ${percent} of the weight.`
    : `${percent} of the weight.`;
}

function Finding({ finding }: { readonly finding: ExplainedFinding }) {
  return (
    <li>
      {finding.description} {finding.points > 0 && <strong>−{finding.points}</strong>}
      {finding.evidence !== null && <div class="evidence">{finding.evidence}</div>}
      <div>
        <a class="narrow-by" href={`/decisions?code=${finding.code}`} title="Decisions with this reason">
          <code>{finding.code}</code>
        </a>
      </div>
    </li>
  );
}
