import { REASON_PHRASES } from '../../assessment/reason-phrases.ts';
import { isReasonCode, REASONS } from '../../assessment/reasons.ts';
import { DataTable } from '../components/data-table.tsx';
import { decisionsOf } from './decision-links.ts';
import { formatCount, formatShare } from './format.ts';
import type { OverviewFigures, ReasonFigure } from './overview-figures.ts';
import type { OverviewQuery } from './overview-query.ts';

interface Props {
  readonly figures: OverviewFigures;
}

export function Reasons({ figures, query }: Props & { readonly query: OverviewQuery }) {
  const { findings, classifications, judged } = figures;
  return (
    <section>
      <h2>Most frequent findings</h2>
      <p class="hint">
        The number of judged signups with each finding, and how many of these signups were at high risk. A
        signup may have several.
      </p>
      {findings.length === 0 ? (
        <p>No signup had a finding.</p>
      ) : (
        <ReasonTable caption="Most frequent findings" rows={findings} judged={judged} query={query} />
      )}
      {classifications.length > 0 && (
        <details>
          <summary>How many signups had each kind of mailbox, network and browser</summary>
          <ReasonTable
            caption="How many signups had each kind of mailbox, network and browser"
            rows={classifications}
            judged={judged}
            query={query}
          />
        </details>
      )}
    </section>
  );
}

const REASON_NUMBERS = ['Signups', 'Share', 'At high risk'];

function ReasonTable(props: {
  readonly caption: string;
  readonly rows: readonly ReasonFigure[];
  readonly judged: number;
  readonly query: OverviewQuery;
}) {
  return (
    <DataTable
      caption={props.caption}
      cards
      columns={['Reason', 'Meaning', ...REASON_NUMBERS]}
      numeric={REASON_NUMBERS}
    >
      {props.rows.map(({ code, count, high }) => (
        <tr key={code}>
          <th scope="row">
            <a href={decisionsOf(props.query, { code })}>{nameOf(code)}</a> <code>{code}</code>
          </th>
          <td class="long on-wide">{meaningOf(code)}</td>
          <td class="number">{formatCount(count)}</td>
          <td class="number">{formatShare(count, props.judged)}</td>
          <td class="number">{formatShare(high, count)}</td>
        </tr>
      ))}
    </DataTable>
  );
}

const MISTAKE_NUMBERS = ['Labelled', 'Wrongly refused', 'Wrongly let in', 'Share of mistakes'];

export function Mistakes({ figures: { mistakes } }: Props) {
  return (
    <section>
      <h2>Mistakes by reason</h2>
      <p class="hint">
        Labelled decisions of the chosen period, at most the newest 20,000. Wrongly refused: labelled
        legitimate, but refused by the gate or given high risk by the API. Wrongly let in: labelled fraud, but
        let in by the gate or given low risk by the API. In monitor mode nothing is refused, so every fraud
        counts as let in. A legitimate signup counts as wrongly refused when the policy would refuse it.
      </p>
      {mistakes.length === 0 ? (
        <p>
          No decision has a label yet. <a href="/decisions">Label decisions</a> as legitimate or fraud, or let
          your app send <code>POST /decisions/…/feedback</code>. This table then shows the share of mistakes
          of each reason.
        </p>
      ) : (
        <DataTable
          caption="Mistakes by reason"
          columns={['Reason', ...MISTAKE_NUMBERS]}
          numeric={MISTAKE_NUMBERS}
        >
          {mistakes.map(({ code, labelled, wronglyStopped, wronglyPassed }) => (
            <tr key={code}>
              <th scope="row">
                {nameOf(code)} <code>{code}</code>
              </th>
              <td class="number">{formatCount(labelled)}</td>
              <td class="number">{formatCount(wronglyStopped)}</td>
              <td class="number">{formatCount(wronglyPassed)}</td>
              <td class="number">{formatShare(wronglyStopped + wronglyPassed, labelled)}</td>
            </tr>
          ))}
        </DataTable>
      )}
    </section>
  );
}

/** The text at the beginning of a cell. Reasons of another version have only their code. */
function nameOf(code: string): string {
  if (!isReasonCode(code)) return 'Unknown';
  const phrase = REASON_PHRASES[code];
  return phrase.charAt(0).toUpperCase() + phrase.slice(1);
}

function meaningOf(code: string): string {
  return isReasonCode(code)
    ? REASONS[code].description
    : 'This reason belongs to another version of Gatekeeper.';
}
