import { isReasonCode, REASONS } from '../../assessment/reasons.ts';
import { DataTable } from '../components/data-table.tsx';
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
        How many of the judged signups had each finding, and how many of those were at high risk. A signup may
        have several.
      </p>
      {findings.length === 0 ? (
        <p>Nothing was found against anybody.</p>
      ) : (
        <ReasonTable caption="Most frequent findings" rows={findings} judged={judged} query={query} />
      )}
      {classifications.length > 0 && (
        <details>
          <summary>How all were classified</summary>
          <ReasonTable caption="Classifications" rows={classifications} judged={judged} query={query} />
        </details>
      )}
    </section>
  );
}

const REASON_NUMBERS = ['Signups', 'Share', 'Of them high risk'];

function ReasonTable(props: {
  readonly caption: string;
  readonly rows: readonly ReasonFigure[];
  readonly judged: number;
  readonly query: OverviewQuery;
}) {
  return (
    <DataTable
      caption={props.caption}
      columns={['Reason', 'Meaning', ...REASON_NUMBERS]}
      numeric={REASON_NUMBERS}
    >
      {props.rows.map(({ code, count, high }) => (
        <tr key={code}>
          <th scope="row">
            <a href={decisionsOf(code, props.query)}>{code}</a>
          </th>
          <td class="long">{meaningOf(code)}</td>
          <td class="number">{formatCount(count)}</td>
          <td class="number">{formatShare(count, props.judged)}</td>
          <td class="number">{formatShare(high, count)}</td>
        </tr>
      ))}
    </DataTable>
  );
}

const MISTAKE_NUMBERS = ['Marked', 'Wrongly stopped', 'Wrongly passed', 'Share of mistakes'];

export function Mistakes({ figures: { mistakes } }: Props) {
  return (
    <section>
      <h2>Mistakes by reason</h2>
      <p class="hint">
        Of the decisions in this time that somebody marked, at most the newest 20,000. Wrongly stopped: marked
        as legitimate, and at high risk or blocked (in monitor mode: would have been). Wrongly passed: marked
        as fraud, and forwarded to the app or, asked through the API, at low risk.
      </p>
      {mistakes.length === 0 ? (
        <p>
          None is known. <a href="/decisions">Mark decisions</a> as legitimate or fraud, or let your app do it
          with <code>POST /decisions/…/feedback</code>, and the share of mistakes of each reason appears here.
        </p>
      ) : (
        <DataTable
          caption="Mistakes by reason"
          columns={['Reason', ...MISTAKE_NUMBERS]}
          numeric={MISTAKE_NUMBERS}
        >
          {mistakes.map(({ code, labelled, wronglyStopped, wronglyPassed }) => (
            <tr key={code}>
              <th scope="row">{code}</th>
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

function meaningOf(code: string): string {
  return isReasonCode(code) ? REASONS[code].description : 'A reason of another version.';
}

function decisionsOf(code: string, { counts: { from, to, accountId, route } }: OverviewQuery): string {
  const params = new URLSearchParams({ code, from: minuteOf(from), to: minuteOf(to) });
  if (accountId !== null) params.set('account', accountId);
  if (route !== null) params.set('route', route);
  return `/decisions?${params}`;
}

/** As a form writes it: `2026-11-21T10:00`, UTC. */
function minuteOf(time: number): string {
  return new Date(time).toISOString().slice(0, 16);
}
