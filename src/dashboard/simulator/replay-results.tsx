import { movesOf } from '../../simulation/comparison.ts';
import type { Replay } from '../../simulation/replay-decisions.ts';
import { Figure } from '../components/defined.tsx';
import { EmptyState, Notice } from '../components/notice.tsx';
import { Time } from '../components/time.tsx';
import { AfterwardsTable, count, Doubts, Examples, Levels } from './replay-tables.tsx';

export interface Outcome {
  readonly replay: Replay;
  /** What to paste into the configuration file; empty when nothing is changed. */
  readonly yaml: string;
  /** Milliseconds since the epoch: how far back was asked for. */
  readonly since: number;
}

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
