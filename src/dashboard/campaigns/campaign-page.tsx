import type { Campaign } from '../../storage/decisions/search/campaign.ts';
import { ActForm } from '../components/act-form.tsx';
import { Field, SelectField } from '../components/field.tsx';
import { Notice } from '../components/notice.tsx';
import { Time } from '../components/time.tsx';
import { decisionsHref } from '../decisions/decision-query.ts';
import { sendPage } from '../page.tsx';
import type { DashboardContext } from '../router.ts';
import { decisionParamsOf, KIND_WORDS, type OneCampaignQuery, oneCampaignFields } from './campaign-query.ts';
import { DENIABLE, type Deniable, MAX_DENIED } from './deny-campaign.ts';

export interface CampaignView {
  readonly query: OneCampaignQuery;
  readonly campaign: Campaign;
  /** The first of each, for people to recognise. */
  readonly domains: readonly string[];
  readonly networks: readonly string[];
}

const SHOWN = 20;

export function sendCampaignPage(context: DashboardContext, view: CampaignView): void {
  const { query, campaign, domains, networks } = view;
  const params = decisionParamsOf(campaign, query);
  const passedParams = new URLSearchParams(params);
  passedParams.set('passed', 'yes');
  sendPage(context, {
    title: 'One campaign',
    content: (
      <>
        <h1>{KIND_WORDS[campaign.kind].one}</h1>
        <dl class="facts panel">
          <dt>In common</dt>
          <dd>
            <code>{campaign.key}</code>
          </dd>
          <dt>Size</dt>
          <dd>
            {campaign.mailboxes} mailboxes in <a href={decisionsHref(params)}>{campaign.attempts} attempts</a>
            , from {campaign.networks} networks, at {campaign.domains} domains
          </dd>
          <dt>Levels</dt>
          <dd>
            {campaign.levels.high} high, {campaign.levels.medium} medium, {campaign.levels.low} low
          </dd>
          <dt>Time</dt>
          <dd>
            <Time at={campaign.first} /> to <Time at={campaign.last} />
          </dd>
          {domains.length > 0 && <Examples name="Domains" values={domains} />}
          <Examples name="Networks" values={networks} />
        </dl>
        <section class="panel" aria-labelledby="passed">
          <h2 id="passed">What came through</h2>
          {campaign.passed === 0 ? (
            <p>Nothing: all of it was blocked, or nobody verified it.</p>
          ) : (
            <p>
              <a href={decisionsHref(passedParams)}>{campaign.passed} attempts</a> were forwarded, only
              watched, or verified; at the API those of low risk count. Take them to your app to clean up:{' '}
              <a href={decisionsHref(passedParams, {}, '/decisions/export.csv')}>CSV</a> or{' '}
              <a href={decisionsHref(passedParams, {}, '/decisions/export.ndjson')}>NDJSON</a>.
            </p>
          )}
        </section>
        <DenyPanel view={view} csrfToken={context.state.csrfToken} />
      </>
    ),
  });
}

function Examples({ name, values }: { readonly name: string; readonly values: readonly string[] }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {values.slice(0, SHOWN).join(', ')}
        {values.length > SHOWN && ' and more'}
      </dd>
    </>
  );
}

function DenyPanel({ view, csrfToken }: { readonly view: CampaignView; readonly csrfToken: string }) {
  const { query, campaign, domains } = view;
  const choices: Readonly<Record<Deniable, string>> = {
    mailbox: `its ${campaign.mailboxes} mailboxes`,
    domain: domains.length === 1 ? `the domain ${domains[0]}` : 'its domains',
    network: campaign.networks === 1 ? 'its network' : `its ${campaign.networks} networks`,
  };
  return (
    <section class="panel" aria-labelledby="deny">
      <h2 id="deny">Deny it</h2>
      <p>
        The entries go on the deny list, at most {MAX_DENIED.toLocaleString('en')} in one act, and hold at
        once. What came through already stays where it is.
      </p>
      <ActForm action="/campaigns/deny" csrfToken={csrfToken}>
        {Object.entries(oneCampaignFields(query)).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <div class="row">
          <SelectField
            name="ends"
            label="Ends"
            value="30"
            options={[
              { value: '1', label: 'in a day' },
              { value: '7', label: 'in 7 days' },
              { value: '30', label: 'in 30 days' },
              { value: '', label: 'when it is removed' },
            ]}
          />
          <Field name="note" label="Note" maxLength={300} placeholder="why" />
        </div>
        <ul class="offers">
          {DENIABLE.filter((what) => what !== 'domain' || domains.length > 0).map((what) => (
            <li key={what}>
              <button
                type="submit"
                name="what"
                value={what}
                class="danger small"
                data-confirm={what === 'mailbox' ? undefined : `Deny everybody of ${choices[what]}?`}
              >
                Deny {choices[what]}
              </button>
              {what === 'network' && (
                <span class="hint"> Everybody in them is meant: a network may be a whole town.</span>
              )}
            </li>
          ))}
        </ul>
      </ActForm>
    </section>
  );
}

/** What came of the denying. */
export function sendDeniedPage(
  context: DashboardContext,
  done: {
    readonly query: OneCampaignQuery;
    readonly denied: number;
    /** More than can be denied at once were there. */
    readonly isCut: boolean;
    readonly notices: readonly string[];
  },
): void {
  const back = `/campaigns/one?${new URLSearchParams(oneCampaignFields(done.query))}`;
  sendPage(context, {
    title: 'Denied',
    content: (
      <div class="narrow">
        <h1>Denied</h1>
        <Notice kind="done">
          <p>
            {done.denied === 1 ? '1 entry holds' : `${done.denied} entries hold`} from now on. They stand on
            the <a href="/lists?list=deny">deny list</a>.
          </p>
        </Notice>
        {done.isCut && (
          <Notice kind="warning">
            <p>
              The campaign has more than {MAX_DENIED.toLocaleString('en')} of them: deny something else that
              it has in common as well.
            </p>
          </Notice>
        )}
        {done.notices.length > 0 && (
          <Notice kind="warning">
            <p>You may want to know:</p>
            <ul>
              {done.notices.slice(0, SHOWN).map((notice) => (
                <li key={notice}>{notice}</li>
              ))}
            </ul>
            {done.notices.length > SHOWN && <p>And {done.notices.length - SHOWN} more of the kind.</p>}
          </Notice>
        )}
        <p>
          <a href={back}>Back to the campaign</a>
        </p>
      </div>
    ),
  });
}
