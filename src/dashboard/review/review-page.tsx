import { reasonTitle } from '../../assessment/reason-phrases.ts';
import { DataTable } from '../components/data-table.tsx';
import { Mailbox } from '../components/mailbox.tsx';
import { EmptyState } from '../components/notice.tsx';
import { Time } from '../components/time.tsx';
import { DecisionTable } from '../decisions/decision-table.tsx';
import { sendPage } from '../page.tsx';
import type { DashboardContext } from '../router.ts';
import type { Desk, DeskRow } from './read-desk.ts';
import { ReviewActs } from './review-acts.tsx';
import { type ReviewMessage, ReviewNotice } from './review-messages.tsx';
import { ReviewRecordText } from './review-record.tsx';

export interface ReviewView {
  readonly desk: Desk;
  readonly message: ReviewMessage | null;
  /** `review.keep_refused`. */
  readonly keepsRefused: boolean;
  readonly hasGate: boolean;
}

const COLUMNS = ['Time', 'Mailbox', 'Reason', 'Score', 'Mail', 'Expiry', 'Actions'];

export function sendReviewPage(context: DashboardContext, view: ReviewView): void {
  const { desk, message, hasGate } = view;
  const { csrfToken } = context.state;
  const isEmpty = desk.waiting.length + desk.refused.length + desk.lately.length + desk.reviewed.length === 0;
  sendPage(context, {
    title: 'Review',
    content: (
      <>
        <h1>Review</h1>
        {message && <ReviewNotice message={message} back="desk" csrfToken={csrfToken} />}
        {isEmpty ? (
          <EmptyState title="No signups to review">
            <p>
              {hasGate ? (
                'Signups that wait for their sender, and signups that were refused, appear here.'
              ) : (
                <>
                  This page needs the gate. Set <code>proxy</code> in the configuration.
                </>
              )}
            </p>
          </EmptyState>
        ) : (
          <Desks view={view} csrfToken={csrfToken} />
        )}
      </>
    ),
  });
}

function Desks({ view, csrfToken }: { readonly view: ReviewView; readonly csrfToken: string }) {
  const { desk, keepsRefused } = view;
  return (
    <>
      <section>
        <h2>Waiting for confirmation</h2>
        {desk.waiting.length === 0 ? (
          <p>No signup is waiting.</p>
        ) : (
          <Queue caption="Signups that wait" rows={desk.waiting} csrfToken={csrfToken} />
        )}
        {desk.hasMore.waiting && (
          <p class="hint">More signups are waiting than this page shows. Search for one by its request id.</p>
        )}
      </section>
      <section>
        <h2>Refused signups</h2>
        {desk.refused.length > 0 && (
          <Queue caption="Refused signups whose request is kept" rows={desk.refused} csrfToken={csrfToken} />
        )}
        {desk.refused.length === 0 && (
          <p>
            {keepsRefused ? (
              'No refused signup is kept.'
            ) : (
              <>
                Refused requests are not kept, so they cannot be let in. With{' '}
                <code>review.keep_refused: true</code>, Gatekeeper keeps them encrypted for 24 hours.
              </>
            )}
          </p>
        )}
        {desk.hasMore.refused && (
          <p class="hint">More refused signups are kept. Search for one by its request id.</p>
        )}
        {desk.lately.length > 0 && <Lately rows={desk.lately} />}
      </section>
      <Reviewed desk={desk} />
    </>
  );
}

/** Monitor mode refuses nothing, so the title says when the list has signups that enforce mode would refuse. */
function Lately({ rows }: { readonly rows: Desk['lately'] }) {
  const isMonitored = rows.some(({ decision }) => decision.mode === 'monitor');
  return (
    <>
      <h3>
        {isMonitored
          ? 'Refused in the last 7 days, or let in only by monitor mode'
          : 'Refused in the last 7 days'}
      </h3>
      <DecisionTable rows={rows} params={new URLSearchParams()} />
      <p>
        <a href="/decisions?door=gate&wanted_action=block">
          {isMonitored ? 'All of these signups' : 'All refused signups'}
        </a>
      </p>
    </>
  );
}

function Queue(props: {
  readonly caption: string;
  readonly rows: readonly DeskRow[];
  readonly csrfToken: string;
}) {
  return (
    <DataTable caption={props.caption} columns={COLUMNS} numeric={['Score']} cards>
      {props.rows.map(({ signup, listed }) => (
        <tr key={signup.requestId}>
          <td>
            <a class="opens" href={`/decisions/${signup.decisionId}`}>
              <Time at={signup.createdAt} />
            </a>
          </td>
          <td class="long">
            <Mailbox text={listed?.decision.plain?.email ?? `at ${signup.domain}`} />
            <span class="faint below">{senderOf(signup)}</span>
          </td>
          <td class="long">
            {listed?.reason ? reasonTitle(listed.reason) : <span class="nothing">none</span>}
          </td>
          <td class="number">{listed?.decision.trustScore ?? ''}</td>
          <td>{mailOf(signup)}</td>
          <td>
            <Time at={signup.expiresAt} />
          </td>
          <td>
            <ReviewActs
              signup={signup}
              back="desk"
              csrfToken={props.csrfToken}
              of={`the signup at ${signup.domain}, ${new Date(signup.createdAt).toISOString().slice(11, 16)} UTC`}
            />
          </td>
        </tr>
      ))}
    </DataTable>
  );
}

function senderOf({ sender, network }: DeskRow['signup']): string {
  const { browser, system, country } = sender;
  return [browser, system, country, network].filter(Boolean).join(', ');
}

const MAILS = { queued: 'on its way', sent: 'sent', failed: 'failed' } as const;

function mailOf({ state, mails, mailState }: DeskRow['signup']) {
  if (state !== 'waiting') return <span class="nothing">none</span>;
  return `${MAILS[mailState]}${mails > 1 ? `, ${mails} mails` : ''}`;
}

function Reviewed({ desk: { reviewed } }: { readonly desk: Desk }) {
  if (reviewed.length === 0) return null;
  return (
    <section>
      <h2>Reviewed in the last 7 days</h2>
      <ul class="panel hits">
        {reviewed.map(({ record, actor }) => (
          <li key={record.requestId}>
            <ReviewRecordText record={record} actor={actor} />{' '}
            <a href={`/decisions/${record.decisionId}`}>Show the decision</a>
          </li>
        ))}
      </ul>
    </section>
  );
}
