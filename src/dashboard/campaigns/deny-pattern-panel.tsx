import type { CampaignReach } from '../../storage/decisions/search/campaign-reach.ts';
import type { StoredListEntry } from '../../storage/lists/list-entry-store.ts';
import { ActForm } from '../components/act-form.tsx';
import { ExpiryField } from '../components/expiry-field.tsx';
import { Field } from '../components/field.tsx';
import { Notice } from '../components/notice.tsx';
import { Time } from '../components/time.tsx';
import { sendPage } from '../page.tsx';
import type { DashboardContext } from '../router.ts';
import { type OneCampaignQuery, oneCampaignFields } from './campaign-query.ts';
import { type DeniablePattern, type OneEntryKind, PREVIEW_DAYS, warningsOf } from './deny-pattern.ts';

/** One button that denies what the campaign has in common, beside a preview of the affected signups. */
export function DenyPatternPanel(props: {
  readonly query: OneCampaignQuery & { readonly kind: OneEntryKind };
  readonly name: string | null;
  readonly pattern: DeniablePattern;
  readonly reach: CampaignReach;
  readonly csrfToken: string;
}) {
  const { query, pattern, reach, csrfToken } = props;
  const { campaign, searchedBackTo } = reach;
  const warnings = warningsOf({ kind: query.kind, name: props.name }, reach);
  return (
    <section class="panel" aria-labelledby="deny-pattern">
      <h2 id="deny-pattern">Deny {pattern.label}</h2>
      <p>
        {pattern.effect === 'verify'
          ? 'New signups of the pattern are sent to verification. They are not refused, because people can have such a mailbox too.'
          : 'New signups are refused.'}{' '}
        Mailboxes and domains on the allow list stay allowed
        {pattern.effect === 'verify' ? '.' : ', unless they are denied too.'}
      </p>
      <h3>The last {PREVIEW_DAYS} days</h3>
      {campaign ? (
        <dl class="facts">
          <dt>Signups</dt>
          <dd>
            {campaign.attempts.toLocaleString('en')} attempts with {campaign.mailboxes.toLocaleString('en')}{' '}
            mailboxes would have matched
          </dd>
          <dt>Let in</dt>
          <dd>{campaign.passed.toLocaleString('en')} attempts</dd>
          <dt>Verified</dt>
          <dd>{campaign.verified.toLocaleString('en')} attempts</dd>
          <dt>Legitimate</dt>
          <dd>{campaign.legitimate.toLocaleString('en')} attempts, by your labels</dd>
          <dt>Fraud</dt>
          <dd>{campaign.fraud.toLocaleString('en')} attempts, by your labels</dd>
        </dl>
      ) : (
        <p>No signup would have matched.</p>
      )}
      {searchedBackTo !== null && (
        <p class="hint">
          Only attempts after <Time at={searchedBackTo} exact="minute" /> were counted.
        </p>
      )}
      {warnings.length > 0 && (
        <Notice kind="warning">
          <ul>
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </Notice>
      )}
      <ActForm action="/campaigns/deny-pattern" csrfToken={csrfToken}>
        {Object.entries(oneCampaignFields(query)).map(([field, value]) => (
          <input key={field} type="hidden" name={field} value={value} />
        ))}
        <div class="row">
          <ExpiryField days="30" />
          <Field name="note" label="Note" maxLength={300} placeholder="reason" />
          <button type="submit" class="danger">
            Deny {pattern.label}
          </button>
        </div>
      </ActForm>
    </section>
  );
}

/** The page after the action, with a button that undoes it. */
export function sendPatternDeniedPage(
  context: DashboardContext,
  done: {
    readonly query: OneCampaignQuery;
    readonly pattern: DeniablePattern;
    readonly entry: StoredListEntry;
    readonly notices: readonly string[];
  },
): void {
  const { query, pattern, entry, notices } = done;
  sendPage(context, {
    title: 'Denied',
    content: (
      <div class="narrow">
        <h1>Denied</h1>
        <Notice kind="done">
          <p>
            From now on, signups of {pattern.label} are{' '}
            {pattern.effect === 'verify' ? 'sent to verification' : 'refused'}
            {entry.expiresAt === null ? '' : ', until '}
            {entry.expiresAt !== null && <Time at={entry.expiresAt} exact />}.
          </p>
        </Notice>
        {notices.length > 0 && (
          <Notice kind="warning">
            <ul>
              {notices.map((notice) => (
                <li key={notice}>{notice}</li>
              ))}
            </ul>
          </Notice>
        )}
        <ActForm action="/lists/remove" csrfToken={context.state.csrfToken}>
          <button type="submit" name="id" value={entry.id}>
            Undo
          </button>
        </ActForm>
        <p>
          <a href={`/campaigns/one?${new URLSearchParams(oneCampaignFields(query))}`}>Back to the campaign</a>
        </p>
      </div>
    ),
  });
}
