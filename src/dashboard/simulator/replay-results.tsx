import { movesOf } from '../../simulation/comparison.ts';
import { effectOf, levelsBefore } from '../../simulation/policy-effect.ts';
import type { Replay } from '../../simulation/replay-decisions.ts';
import { Figure } from '../components/defined.tsx';
import { EmptyState, Notice } from '../components/notice.tsx';
import { Time } from '../components/time.tsx';
import { EffectVerdict } from './effect-verdict.tsx';
import { LABEL_ADVICE } from './live-effect.tsx';
import { AfterwardsTable, count, Doubts, Examples, Levels } from './replay-tables.tsx';

export interface Outcome {
  readonly replay: Replay;
  /** The YAML to paste into the configuration file; empty when nothing is changed. */
  readonly yaml: string;
  /** Start of the simulated time, milliseconds since the epoch. */
  readonly since: number;
  /** The share of hurt people in percent for which these levels are the best; null when a user chose the levels. */
  readonly bestFor: string | null;
}

/** The results of a simulation, from the verdict and the totals to single decisions. */
export function ReplayResults({ outcome: { replay, yaml, since, bestFor } }: { readonly outcome: Outcome }) {
  if (replay.decisions === 0) {
    return (
      <EmptyState title="No signups found">
        <p>
          There is no decision since <Time at={since} exact="minute" /> for this choice. Choose more days, or
          all signups.
        </p>
      </EmptyState>
    );
  }
  const { stricter, milder } = movesOf(replay.comparison.matrix);
  return (
    <section aria-labelledby="results">
      <h2 id="results">Verdict: recorded → simulated</h2>
      {bestFor !== null && (
        <Notice kind="done">
          <p>
            These are the levels that stop the most known frauds while at most {bestFor} % of the known
            legitimate people are hurt. They are in the form below.
          </p>
        </Notice>
      )}
      <div class="panel">
        <EffectVerdict
          effect={effectOf(replay.after.known)}
          before={effectOf(levelsBefore(replay.comparison.known))}
          advice={LABEL_ADVICE}
        />
      </div>
      {replay.isLimited && (
        <Notice kind="warning">
          <p>
            Too many decisions for one simulation. These results cover the newest {count(replay.decisions)},
            back to <Time at={replay.from ?? since} exact="minute" />.
          </p>
        </Notice>
      )}
      <div class="figures">
        <Figure
          id="judged"
          name="Decisions"
          value={count(replay.decisions)}
          definition="Decisions that were scored again. Decisions of test keys are left out."
        />
        <Figure
          id="stricter"
          name="Stricter"
          value={count(stricter)}
          definition="Decisions that get a higher risk level than they had."
        />
        <Figure
          id="milder"
          name="Milder"
          value={count(milder)}
          definition="Decisions that get a lower risk level than they had."
        />
      </div>
      <Levels replay={replay} />
      <AfterwardsTable replay={replay} stricter={stricter} milder={milder} />
      <Doubts counts={replay.after} />
      <Examples examples={replay.examples} />
      <Yaml yaml={yaml} />
    </section>
  );
}

function Yaml({ yaml }: { readonly yaml: string }) {
  return (
    <>
      <h3>Apply this policy</h3>
      {yaml === '' ? (
        <p>This is the current policy. The configuration needs no change.</p>
      ) : (
        <>
          <p>Put these lines into the configuration file. Gatekeeper applies the change within seconds.</p>
          <pre>
            <code>{yaml}</code>
          </pre>
        </>
      )}
    </>
  );
}
