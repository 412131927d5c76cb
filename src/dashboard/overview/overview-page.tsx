import type { FleetNode } from '../../storage/fleet/node-store.ts';
import type { DecisionBounds, DecisionTrim } from '../../storage/retention/decision-bounds.ts';
import { CHART_SCRIPTS } from '../components/chart-table.tsx';
import { SelectField } from '../components/field.tsx';
import { EmptyState, Notice } from '../components/notice.tsx';
import type { DashboardStatus } from '../dashboard-dependencies.ts';
import { curlExample } from '../keys/curl-example.ts';
import { sendPage } from '../page.tsx';
import type { DashboardContext } from '../router.ts';
import type { Comparison } from './comparison.ts';
import { Configuration } from './configuration.tsx';
import { FailingServices } from './failing-services.tsx';
import { Figures, Monitored } from './figures.tsx';
import { formatCount } from './format.ts';
import { Funnel, MistakeShares } from './funnel.tsx';
import { HappeningList } from './happening-list.tsx';
import type { Happening } from './happenings.ts';
import { healthOf, type UnsentMails } from './health.ts';
import { HealthStrip } from './health-strip.tsx';
import { LastWeek } from './last-week.tsx';
import { LocalCounters } from './local-counters.tsx';
import { MissingEmails } from './missing-emails.tsx';
import { NodeIssues } from './nodes.tsx';
import type { OverviewFigures } from './overview-figures.ts';
import { type OverviewQuery, RANGES } from './overview-query.ts';
import { Mistakes, Reasons } from './reasons.tsx';
import { ByAction, ByLevel } from './signups-over-time.tsx';
import { Trimmed } from './trimmed.tsx';
import { UnjudgedSignups } from './unjudged-signups.tsx';

export interface OverviewView {
  readonly query: OverviewQuery;
  readonly figures: OverviewFigures;
  readonly now: number;
  /** Null when the week before has no decision. */
  readonly comparison: Comparison | null;
  readonly apiUrl: string;
  /** Shown to operators only. */
  readonly site: Site | null;
}

export interface Site {
  readonly status: DashboardStatus;
  readonly unsentMails: UnsentMails;
  readonly accounts: readonly { readonly id: string; readonly name: string }[];
  readonly routes: readonly string[];
  /** Attacks, warnings and changes of this time, the newest first. */
  readonly happenings: readonly Happening[];
  /** Decisions that were recently deleted because of a limit of the storage. */
  readonly trims: readonly DecisionTrim[];
  readonly bounds: DecisionBounds;
  /** The nodes on the same records; null with SQLite. */
  readonly nodes: readonly FleetNode[] | null;
}

/** This is more than the decisions that arrive between two counts. */
const WORTH_TELLING = 10_000;

export function sendOverviewPage(context: DashboardContext, view: OverviewView): void {
  const { query, figures, site, now } = view;
  const isEmpty = figures.judged + figures.tests === 0;
  sendPage(context, {
    title: 'Overview',
    scripts: CHART_SCRIPTS,
    content: (
      <>
        <h1>Overview</h1>
        {site && <Configuration status={site.status.configuration} />}
        {site?.status.seesUntrustedForwarding && <UntrustedForwarding />}
        {site && site.status.countersLocalSince !== null && (
          <LocalCounters since={site.status.countersLocalSince} />
        )}
        {site && <FailingServices status={site.status} />}
        {site?.nodes && <NodeIssues nodes={site.nodes} />}
        {site && <Trimmed trims={site.trims} bounds={site.bounds} />}
        {figures.uncounted > WORTH_TELLING && <Uncounted count={figures.uncounted} />}
        {site && <HealthStrip facts={healthOf({ ...site, figures, now })} />}
        <RangeForm query={query} site={site} />
        {isEmpty ? <NothingJudged view={view} /> : <Judged view={view} />}
        {site && <MissingEmails groups={site.status.missingEmails} />}
        {site && <UnjudgedSignups groups={site.status.unjudgedSignups} />}
      </>
    ),
  });
}

function Judged({ view: { figures, query, comparison, site } }: { readonly view: OverviewView }) {
  const isPart = query.counts.accountId !== null || query.counts.route !== null;
  const isGated = figures.actions.forward + figures.actions.verify + figures.actions.block > 0;
  return (
    <>
      <Figures figures={figures} query={query} />
      {site && <HappeningList happenings={site.happenings} isPart={isPart} />}
      <div class="columns">
        <ByLevel figures={figures} query={query} />
        {isGated && <ByAction figures={figures} query={query} />}
      </div>
      <div class="columns">
        {comparison && <LastWeek comparison={comparison} />}
        {isGated && <Funnel figures={figures} />}
        <MistakeShares figures={figures} />
        <Monitored figures={figures} />
      </div>
      <Reasons figures={figures} query={query} />
      <Mistakes figures={figures} />
    </>
  );
}

function Uncounted({ count }: { readonly count: number }) {
  return (
    <Notice kind="warning">
      <p>
        {formatCount(count)} decisions wait to be counted, for example after an upgrade. The figures below
        grow for some minutes.
      </p>
    </Notice>
  );
}

function UntrustedForwarding() {
  return (
    <Notice kind="error">
      <p>
        <strong>The gate sees all visitors under one IP address: that of your proxy.</strong> Requests carry
        forwarding headers, but no proxy is trusted, so all visitors are counted as one. Enter the network of
        the proxy in <code>proxy.trusted_proxies</code>. Enter the name of the header that has the visitor’s
        address in <code>proxy.client_ip_header</code>.
      </p>
    </Notice>
  );
}

/** The form uses GET, so the URL contains the choice. */
function RangeForm({ query, site }: { readonly query: OverviewQuery; readonly site: Site | null }) {
  const { accountId, route } = query.counts;
  const ranges = Object.entries(RANGES).map(([value, { label }]) => ({ value, label: `Last ${label}` }));
  return (
    <form method="get" action="/overview" class="filters" data-filters>
      <SelectField name="range" label="Time" value={query.range} options={ranges} />
      {site && (
        <>
          <SelectField
            name="account"
            label="Account"
            value={accountId ?? ''}
            options={withChosen(
              [
                { value: '', label: 'all' },
                ...site.accounts.map(({ id, name }) => ({ value: id, label: name })),
              ],
              accountId,
            )}
          />
          <SelectField
            name="route"
            label="Route of the gate"
            value={route ?? ''}
            options={withChosen(
              [{ value: '', label: 'all' }, ...site.routes.map((name) => ({ value: name, label: name }))],
              route,
            )}
          />
        </>
      )}
      <button type="submit">Show</button>
    </form>
  );
}

interface Choice {
  readonly value: string;
  readonly label: string;
}

/** The chosen value stays in the list even if the range has no decision with it. */
function withChosen(choices: readonly Choice[], chosen: string | null): readonly Choice[] {
  if (chosen === null || choices.some(({ value }) => value === chosen)) return choices;
  return [...choices, { value: chosen, label: `${chosen} (no decisions in this time)` }];
}

function NothingJudged({ view: { query, site, apiUrl } }: { readonly view: OverviewView }) {
  const isNarrowed = site !== null && (query.counts.accountId !== null || query.counts.route !== null);
  if (isNarrowed || query.range !== '90d') {
    return (
      <EmptyState title="No signups in this time">
        <p>
          Show <a href="/overview?range=90d">the last 90 days</a>, or send a signup with{' '}
          <a href="/keys">a key</a>:
        </p>
        <pre>{curlExample(apiUrl, '…')}</pre>
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No signups yet">
      <p>
        <a href="/keys">Create a key</a> and send a first signup:
      </p>
      <pre>{curlExample(apiUrl, '…')}</pre>
    </EmptyState>
  );
}
