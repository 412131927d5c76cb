import { ActForm } from '../components/act-form.tsx';
import { Notice } from '../components/notice.tsx';
import { decisionsHref } from '../decisions/decision-query.ts';
import { formatCount } from '../overview/format.ts';
import { sendPage } from '../page.tsx';
import type { DashboardContext } from '../router.ts';
import { type OneCampaignQuery, oneCampaignFields } from './campaign-query.ts';
import type { CampaignSources } from './passed-by.ts';
import { MAX_SENT, type SentPassed } from './send-passed.ts';

const DOORS_SHOWN = 3;

interface PassedView {
  readonly query: OneCampaignQuery;
  /** The number of attempts that passed. */
  readonly passed: number;
  readonly sources: CampaignSources;
  /** The fields of the URL of the decisions page. */
  readonly params: URLSearchParams;
  /** Names of the webhooks of `exports`. */
  readonly receivers: readonly string[];
  readonly csrfToken: string;
}

/** The decisions of a campaign that already passed, as a file or to a webhook. The app has these accounts. */
export function PassedPanel({ query, passed, sources, params, receivers, csrfToken }: PassedView) {
  const passedParams = new URLSearchParams(params);
  passedParams.set('passed', 'yes');
  return (
    <section class="panel" aria-labelledby="passed">
      <h2 id="passed">Signups that were let in</h2>
      {passed === 0 ? (
        <p>No signup was let in: all were refused or not confirmed.</p>
      ) : (
        <>
          <p>
            <a href={decisionsHref(passedParams)}>
              {passed === 1 ? '1 attempt' : `${formatCount(passed)} attempts`}
            </a>{' '}
            {passed === 1 ? 'was' : 'were'} let in: at once, in monitor mode or after verification. An attempt
            of the API counts when it was at low risk. Export them to clean up your app:{' '}
            <a href={decisionsHref(passedParams, {}, '/decisions/export.csv')}>CSV</a> or{' '}
            <a href={decisionsHref(passedParams, {}, '/decisions/export.ndjson')}>NDJSON</a>.
            {sources.passedBy.length > 0 &&
              ` Most came through ${sources.passedBy
                .slice(0, DOORS_SHOWN)
                .map(({ name: door, count }) => `${door} (${formatCount(count)})`)
                .join(', ')}.`}
          </p>
          {receivers.length > 0 && (
            <ActForm action="/campaigns/send" csrfToken={csrfToken}>
              {Object.entries(oneCampaignFields(query)).map(([name, value]) => (
                <input key={name} type="hidden" name={name} value={value} />
              ))}
              {receivers.map((name) => (
                <button key={name} type="submit" name="export" value={name} class="second">
                  Send to the webhook {name}
                </button>
              ))}
            </ActForm>
          )}
        </>
      )}
    </section>
  );
}

export function sendSentPage(
  context: DashboardContext,
  {
    query,
    name,
    result,
  }: { readonly query: OneCampaignQuery; readonly name: string; readonly result: SentPassed },
): void {
  const { sent, because, isCut } = result;
  const counted = sent === 1 ? '1 decision was' : `${formatCount(sent)} decisions were`;
  sendPage(context, {
    title: 'Sent',
    content: (
      <div class="narrow">
        <h1>{because === null ? 'Sent' : 'Not sent'}</h1>
        {because === null ? (
          <Notice kind="done">
            <p>
              {counted} sent to the webhook {name}.
            </p>
          </Notice>
        ) : (
          <Notice kind="error">
            <p>
              {counted} sent to the webhook {name}, then it failed: <code>{because}</code>. Send again: the
              same requests have the same <code>webhook-id</code>.
            </p>
          </Notice>
        )}
        {isCut && (
          <Notice kind="warning">
            <p>At most {formatCount(MAX_SENT)} decisions are sent at once. The CSV export has all.</p>
          </Notice>
        )}
        <p>
          <a href={`/campaigns/one?${new URLSearchParams(oneCampaignFields(query))}`}>Back to the campaign</a>
        </p>
      </div>
    ),
  });
}
