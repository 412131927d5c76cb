import { exampleOfPattern, nameOfPattern } from '../../assessment/pattern.ts';
import { traitOfStyle } from '../../assessment/spelling-style.ts';
import type { Campaign } from '../../storage/decisions/search/campaign.ts';
import type { CampaignDetails } from '../../storage/decisions/search/campaign-details.ts';
import type { CampaignReach } from '../../storage/decisions/search/campaign-reach.ts';
import { ActForm } from '../components/act-form.tsx';
import { CHART_SCRIPTS, ChartTable } from '../components/chart-table.tsx';
import { ExpiryField } from '../components/expiry-field.tsx';
import { Field } from '../components/field.tsx';
import { LevelBar } from '../components/level-bar.tsx';
import { Notice } from '../components/notice.tsx';
import { TimeSpan } from '../components/time.tsx';
import { decisionsHref } from '../decisions/decision-query.ts';
import { formatCount } from '../overview/format.ts';
import { sendPage } from '../page.tsx';
import type { DashboardContext } from '../router.ts';
import { decisionParamsOf, KIND_WORDS, type OneCampaignQuery, oneCampaignFields } from './campaign-query.ts';
import { DENIABLE, type Deniable, MAX_DENIED } from './deny-campaign.ts';
import { isOneEntryKind, patternOf } from './deny-pattern.ts';
import { DenyPatternPanel } from './deny-pattern-panel.tsx';
import type { CampaignSources } from './passed-by.ts';
import { PassedPanel } from './passed-panel.tsx';
import { suspicionOf } from './suspicion.ts';

export interface CampaignView {
  readonly query: OneCampaignQuery;
  readonly campaign: Campaign;
  readonly details: CampaignDetails;
  readonly sources: CampaignSources;
  /** The text of a template; null when it is unknown, and for other kinds. */
  readonly name: string | null;
  /** The attempts that one entry would have matched; null for kinds that one entry cannot deny. */
  readonly preview: CampaignReach | null;
  /** Names of the webhooks of `exports`. */
  readonly receivers: readonly string[];
}

const SHOWN = 20;
const OWNERS_SHOWN = 3;

export function sendCampaignPage(context: DashboardContext, view: CampaignView): void {
  const { query, campaign, details, sources, name, preview, receivers } = view;
  const { domains, networks, bars } = details;
  const pattern = patternOf(query, name);
  const params = decisionParamsOf(campaign, query);
  sendPage(context, {
    title: titleOf(query, name),
    scripts: CHART_SCRIPTS,
    content: (
      <>
        <h1>{titleOf(query, name)}</h1>
        <dl class="facts panel">
          <dt>Shared value</dt>
          <dd>
            <code>{name === null ? campaign.key : nameOfPattern(name)}</code>
          </dd>
          <dt>Size</dt>
          <dd>
            {numberOf(campaign.mailboxes, 'mailbox', 'mailboxes')} in{' '}
            <a href={decisionsHref(params)}>{numberOf(campaign.attempts, 'attempt')}</a>, from{' '}
            {numberOf(campaign.networks, 'network')}, at {numberOf(campaign.domains, 'domain')}
          </dd>
          <dt>Levels</dt>
          <dd>
            {(['high', 'medium', 'low'] as const)
              .filter((level) => campaign.levels[level] > 0)
              .map((level) => `${formatCount(campaign.levels[level])} ${level}`)
              .join(', ')}
            <LevelBar levels={campaign.levels} />
          </dd>
          <dt>Suspicion</dt>
          <dd>{suspicionOf(campaign)} of 100</dd>
          {sources.owners.length > 0 && (
            <>
              <dt>Network owner</dt>
              <dd>
                {sources.owners
                  .slice(0, OWNERS_SHOWN)
                  .map(({ name: owner }) => owner)
                  .join(', ')}
              </dd>
            </>
          )}
          <dt>Time</dt>
          <dd>
            <TimeSpan from={campaign.first} to={campaign.last} />
          </dd>
          {domains.length > 0 && <Examples name="Domains" values={domains} />}
          <Examples name="Networks" values={networks} />
        </dl>
        {isOneEntryKind(query.kind) && bars.length > 1 && (
          <ChartTable
            caption="Attempts over time"
            unit="hour"
            columns={[
              { name: 'High', colour: 'high' },
              { name: 'Medium', colour: 'medium' },
              { name: 'Low', colour: 'low' },
            ]}
            rows={bars.map(({ at, low, medium, high }) => ({ at, values: [high, medium, low] }))}
          />
        )}
        <PassedPanel
          query={query}
          sources={sources}
          params={params}
          receivers={receivers}
          passed={campaign.passed}
          csrfToken={context.state.csrfToken}
        />
        {pattern !== null && preview !== null && isOneEntryKind(query.kind) && (
          <DenyPatternPanel
            query={{ ...query, kind: query.kind }}
            name={name}
            pattern={pattern}
            reach={preview}
            csrfToken={context.state.csrfToken}
          />
        )}
        <DenyPanel view={view} csrfToken={context.state.csrfToken} />
      </>
    ),
  });
}

/** What the signups have in common, in words. */
function titleOf({ kind, key }: OneCampaignQuery, name: string | null): string {
  if (kind === 'template' && name !== null) return `Mailboxes such as ${exampleOfPattern(name)}`;
  if (kind === 'domain') return `Mailboxes of the domain ${key}`;
  if (kind === 'network') return `Attempts from the network ${key}`;
  return kind === 'cohort' ? `Signups with ${traitOfStyle(key)}` : KIND_WORDS[kind].one;
}

function numberOf(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
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
  const { query, campaign } = view;
  const { domains } = view.details;
  const choices: Readonly<Record<Deniable, string>> = {
    mailbox: `its ${formatCount(campaign.mailboxes)} mailboxes`,
    domain: domains.length === 1 ? `the domain ${domains[0]}` : 'its domains',
    network: campaign.networks === 1 ? 'its network' : `its ${formatCount(campaign.networks)} networks`,
  };
  return (
    <section class="panel" aria-labelledby="deny">
      <h2 id="deny">Deny mailboxes, domains or networks</h2>
      <p>
        Adds entries to the deny list, at most {MAX_DENIED.toLocaleString('en')} at once. They apply at once.
        Signups that were let in before do not change.
      </p>
      <ActForm action="/campaigns/deny" csrfToken={csrfToken}>
        {Object.entries(oneCampaignFields(query)).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <div class="row">
          <ExpiryField days="30" />
          <Field name="note" label="Note" maxLength={300} placeholder="reason" />
        </div>
        <ul class="offers">
          {DENIABLE.filter((what) => what !== 'domain' || domains.length > 0).map((what) => (
            <li key={what}>
              <button
                type="submit"
                name="what"
                value={what}
                class="danger small"
                data-confirm={what === 'mailbox' ? undefined : `Deny all signups of ${choices[what]}?`}
              >
                Deny {choices[what]}
              </button>
              {what === 'network' && (
                <span class="hint"> Matches every client of a network, which may be a whole town.</span>
              )}
            </li>
          ))}
        </ul>
      </ActForm>
    </section>
  );
}

/** The page after entries were added to the deny list. */
export function sendDeniedPage(
  context: DashboardContext,
  done: {
    readonly query: OneCampaignQuery;
    readonly denied: number;
    /** Whether there were more values than can be denied at once. */
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
            {done.denied === 1 ? '1 entry applies' : `${done.denied} entries apply`} from now on. They are on
            the <a href="/lists?list=deny">deny list</a>.
          </p>
        </Notice>
        {done.isCut && (
          <Notice kind="warning">
            <p>
              The campaign has more than {MAX_DENIED.toLocaleString('en')} of these. Also deny something else
              that the signups have in common.
            </p>
          </Notice>
        )}
        {done.notices.length > 0 && (
          <Notice kind="warning">
            <p>Notices:</p>
            <ul>
              {done.notices.slice(0, SHOWN).map((notice) => (
                <li key={notice}>{notice}</li>
              ))}
            </ul>
            {done.notices.length > SHOWN && <p>And {done.notices.length - SHOWN} more.</p>}
          </Notice>
        )}
        <p>
          <a href={back}>Back to the campaign</a>
        </p>
      </div>
    ),
  });
}
