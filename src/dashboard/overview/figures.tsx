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
        definition={`Decisions of the API and of the gate in this time. ${formatCount(tests)} answers to test keys are not among them, here and below.`}
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
        name="Judging, half within"
        value={formatDuration(medianMs)}
        definition="Half of the signups were judged in this time or less (p50), from the read request to the score. Network and storage are not in it."
      />
      <Figure
        id="p99"
        name="Judging, 99 % within"
        value={formatDuration(p99Ms)}
        definition="99 of 100 signups were judged in this time or less (p99). Read from classes of durations: right within a third."
      />
      <Figure
        id="degraded"
        name="Degraded"
        value={formatShare(degraded, judged)}
        definition={`${formatCount(degraded)} decisions were made without all that can be known: a factor was late, failed, or only partly looked at. They fall into ${degradedPeriods} of ${periods.length} ${unit} of ${within} each.`}
      />
    </div>
  );
}

/** Blocked against verified against passed. */
export function Afterwards({ figures: { actions, outcomes } }: Props) {
  const all = actions.forward + actions.verify + actions.block;
  const { verified, locked, expired, reported } = outcomes;
  const open = Math.max(0, actions.verify - verified - locked - expired - reported);
  return (
    <section class="panel">
      <h2>What became of them</h2>
      <dl class="facts">
        <Counted
          id="passed"
          name="Let through at once"
          count={actions.forward}
          of={all}
          definition="Forwarded to the app without a question, by routes that enforce."
        />
        <Counted
          id="blocked"
          name="Blocked"
          count={actions.block}
          of={all}
          definition="Refused by routes that enforce; the app never saw them."
        />
        <Counted
          id="asked"
          name="Sent to verification"
          count={actions.verify}
          of={all}
          definition="Held or sent away until the sender shows that the mailbox is theirs, by routes that enforce."
        />
        <Counted
          id="verified"
          name="… passed afterwards"
          count={verified}
          of={actions.verify}
          definition="Of those sent to verification in this time: confirmed by code or link, and then handed to the app."
        />
        <Counted
          id="expired"
          name="… never confirmed"
          count={expired}
          of={actions.verify}
          definition="Of those sent to verification in this time: ran out unconfirmed. Mostly who has no access to the mailbox."
        />
        <Counted
          id="locked"
          name="… locked"
          count={locked}
          of={actions.verify}
          definition="Of those sent to verification in this time: locked after too many wrong codes."
        />
        <Counted
          id="reported"
          name="… reported"
          count={reported}
          of={actions.verify}
          definition="Of those sent to verification in this time: dropped by the owner of the mailbox, who said that it was not them."
        />
        <Counted
          id="open"
          name="… open or unknown"
          count={open}
          definition="Still waiting for their sender, or verified by the app itself or at a page of your own, of which nothing comes back here."
        />
      </dl>
    </section>
  );
}

/** For the dry run before enforcing. */
export function Monitored({ figures: { monitored } }: Props) {
  const all = monitored.forward + monitored.verify + monitored.block;
  if (all === 0) return null;
  return (
    <section class="panel">
      <h2>What enforcing would have done</h2>
      <p class="hint">
        Routes in monitor mode let all {formatCount(all)} signups through. With <code>mode: enforce</code>:
      </p>
      <dl class="facts">
        <Counted
          id="would-forward"
          name="Let through"
          count={monitored.forward}
          of={all}
          definition="Would have reached the app as they did."
        />
        <Counted
          id="would-verify"
          name="Sent to verification"
          count={monitored.verify}
          of={all}
          definition="Would have had to show that the mailbox is theirs."
        />
        <Counted
          id="would-block"
          name="Blocked"
          count={monitored.block}
          of={all}
          definition="Would have been refused."
        />
      </dl>
      <p>
        <a href="/decisions?wanted_action=block">Look at those that would be blocked</a>
      </p>
    </section>
  );
}

interface CountedProps {
  readonly id: string;
  readonly name: string;
  readonly count: number;
  /** What it is a share of; left out where that says nothing. */
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
