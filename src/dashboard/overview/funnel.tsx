import { intervalOf } from '../../assessment/share-interval.ts';
import { Defined } from '../components/defined.tsx';
import { formatCount, formatPercent, formatShare } from './format.ts';
import type { OverviewFigures } from './overview-figures.ts';

interface Props {
  readonly figures: Pick<OverviewFigures, 'actions' | 'outcomes' | 'refusedLetIn' | 'labels'>;
}

interface Step {
  readonly id: string;
  readonly name: string;
  readonly count: number;
  readonly definition: string;
}

/** The results of the signups on routes in enforce mode. Each signup belongs to one line. */
export function Funnel({ figures }: Props) {
  const { actions } = figures;
  const all = actions.forward + actions.verify + actions.block;
  return (
    <section class="panel">
      <h2>Outcomes of signups at the gate</h2>
      <dl class="funnel">
        {stepsOf(figures).map(({ id, name, count, definition }) => (
          <div key={id}>
            <dt>
              <Defined id={id} definition={definition}>
                {name}
              </Defined>
            </dt>
            <dd>
              <span>
                {formatCount(count)} ({formatShare(count, all)})
              </span>
              <meter min={0} max={Math.max(1, all)} value={Math.min(count, all)} aria-label={name} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function stepsOf({ actions, outcomes, refusedLetIn }: Props['figures']): readonly Step[] {
  const { verified, locked, expired, reported, corrected, let_in, refused } = outcomes;
  const unconfirmed = expired + locked + reported + refused;
  const known = verified + unconfirmed + corrected + let_in - refusedLetIn;
  return [
    {
      id: 'passed',
      name: 'Let in at once',
      count: actions.forward,
      definition: 'The app received them without verification.',
    },
    {
      id: 'verified',
      name: 'Let in after verification',
      count: verified,
      definition: 'Confirmed by code or link, then sent to the app.',
    },
    {
      id: 'let-in',
      name: 'Let in by the staff',
      count: let_in,
      definition: 'Held or refused at first, then let in from the review desk.',
    },
    {
      id: 'waiting',
      name: 'Waiting or unknown',
      count: Math.max(0, actions.verify - known),
      definition:
        'Signups that still wait for their sender, or that your app or your own page verifies. Gatekeeper does not learn the result of those verifications.',
    },
    {
      id: 'unconfirmed',
      name: 'Not confirmed',
      count: unconfirmed,
      definition: `Sent to verification: ${formatCount(expired)} expired, ${formatCount(locked)} locked after wrong codes, ${formatCount(reported)} reported by the owner of the mailbox. ${formatCount(refused)} refused by the staff. ${formatCount(corrected)} with a corrected address count by their own decision.`,
    },
    {
      id: 'refused',
      name: 'Refused',
      count: Math.max(0, actions.block - refusedLetIn),
      definition: 'The app did not receive them.',
    },
  ];
}

/** How often people are stopped and frauds let in, with the range that follows from the small number of cases. */
export function MistakeShares({ figures: { outcomes, labels } }: Props) {
  const { stopped, passed } = labels;
  const { verified, locked, expired, reported } = outcomes;
  const rows = [
    {
      id: 'wrongly-stopped',
      name: 'Refused, labelled legitimate',
      part: stopped.legitimate,
      whole: stopped.legitimate + stopped.fraud,
      definition: 'Of labelled decisions at high risk or refused: those labelled legitimate.',
    },
    {
      id: 'wrongly-passed',
      name: 'Let in, labelled fraud',
      part: passed.fraud,
      whole: passed.legitimate + passed.fraud,
      definition: 'Of labelled decisions that were let in: those labelled fraud.',
    },
    {
      id: 'confirmed',
      name: 'Sent to verification, confirmed',
      part: verified,
      whole: verified + locked + expired + reported,
      definition:
        'Of finished verifications: those whose sender proved access to the mailbox. Most are people.',
    },
  ];
  return (
    <section class="panel">
      <h2>Mistakes</h2>
      <p class="hint">
        In brackets: the 95 % confidence interval (Wilson), which is wide when there are few cases. The
        labelled decisions are not a random sample, so the true shares can differ.
      </p>
      <dl class="facts">
        {rows.map(({ id, name, part, whole, definition }) => (
          <Uncertain key={id} id={id} name={name} part={part} whole={whole} definition={definition} />
        ))}
      </dl>
    </section>
  );
}

function Uncertain(props: {
  readonly id: string;
  readonly name: string;
  readonly part: number;
  readonly whole: number;
  readonly definition: string;
}) {
  const { id, name, part, whole, definition } = props;
  return (
    <>
      <dt>
        <Defined id={id} definition={definition}>
          {name}
        </Defined>
      </dt>
      <dd>{whole === 0 ? 'no cases yet' : shareOf(part, whole)}</dd>
    </>
  );
}

function shareOf(part: number, whole: number): string {
  const { low, high } = intervalOf(part, whole);
  return `${formatCount(part)} of ${formatCount(whole)}: ${formatShare(part, whole)} (${formatPercent(low)} to ${formatPercent(high)} %)`;
}
