import { Defined, Figure } from '../components/defined.tsx';
import { formatCount, formatDuration, formatShare } from './format.ts';
import type { OverviewFigures } from './overview-figures.ts';
import type { OverviewQuery } from './overview-query.ts';

interface Props {
  readonly figures: OverviewFigures;
}

export function Figures({ figures, query }: Props & { readonly query: OverviewQuery }) {
  const { judged, levels, tests, medianMs, p99Ms, degraded, degradedPeriods, periods } = figures;
  const [unit, within] = query.periodHours === 24 ? ['days', 'day'] : ['periods', `${query.periodHours} h`];
  return (
    <div class="figures">
      <Figure
        id="judged"
        name="Judged signups"
        value={formatCount(judged)}
        definition={`Decisions of the API and of the gate in this time. This page does not count answers to test keys: ${formatCount(tests)} in this time.`}
      />
      <Figure
        id="high"
        name="High risk"
        value={formatShare(levels.high, judged)}
        definition={`${formatCount(levels.high)} of ${formatCount(judged)} judged signups were at high risk.`}
      />
      <Figure
        id="medium"
        name="Medium risk"
        value={formatShare(levels.medium, judged)}
        definition={`${formatCount(levels.medium)} of ${formatCount(judged)} judged signups were at medium risk.`}
      />
      <Figure
        id="median"
        name="Judging time, p50"
        value={formatDuration(medianMs)}
        definition="Half of the signups were judged in this time or less (p50): from the read request to the score, without network and storage."
      />
      <Figure
        id="p99"
        name="Judging time, p99"
        value={formatDuration(p99Ms)}
        definition="99 of 100 signups were judged in this time or less (p99). Estimated from a histogram; the error is at most a third."
      />
      <Figure
        id="degraded"
        name="Degraded"
        value={formatShare(degraded, judged)}
        definition={`${formatCount(degraded)} decisions lack some facts: a factor was late, failed, or was only partly examined. They fall into ${degradedPeriods} of ${periods.length} ${unit} of ${within} each.`}
      />
    </div>
  );
}

/** The figures of the dry run before enforce mode. */
export function Monitored({ figures: { monitored } }: Props) {
  const all = monitored.forward + monitored.verify + monitored.block;
  if (all === 0) return null;
  return (
    <section class="panel">
      <h2>What enforce mode would have done</h2>
      <p class="hint">
        Routes in monitor mode let in all {formatCount(all)} signups. With <code>mode: enforce</code>, they
        would have been:
      </p>
      <dl class="facts">
        <Counted
          id="would-forward"
          name="Let in"
          count={monitored.forward}
          of={all}
          definition="The app would have received them at once, as in monitor mode."
        />
        <Counted
          id="would-verify"
          name="Sent to verification"
          count={monitored.verify}
          of={all}
          definition="Held or redirected until the sender proves access to the mailbox."
        />
        <Counted
          id="would-refuse"
          name="Refused"
          count={monitored.block}
          of={all}
          definition="The app would not have received them."
        />
      </dl>
      <p>
        <a href="/decisions?wanted_action=block">Show signups that would be refused</a>
      </p>
    </section>
  );
}

interface CountedProps {
  readonly id: string;
  readonly name: string;
  readonly count: number;
  /** The total for the share. Left out when a share is not useful. */
  readonly of?: number;
  readonly definition: string;
}

function Counted({ id, name, count, of, definition }: CountedProps) {
  return (
    <>
      <dt>
        <Defined id={id} definition={definition}>
          {name}
        </Defined>
      </dt>
      <dd>
        {formatCount(count)}
        {of !== undefined && ` (${formatShare(count, of)})`}
      </dd>
    </>
  );
}
