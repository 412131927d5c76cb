import type { ComponentChildren } from 'preact';
import { exampleOfPattern, nameOfPattern } from '../../assessment/pattern.ts';
import { traitOfStyle } from '../../assessment/spelling-style.ts';
import type { Campaigns } from '../../storage/decisions/search/campaign.ts';
import { CAMPAIGN_KINDS, type Campaign, SMALLEST_CAMPAIGN } from '../../storage/decisions/search/campaign.ts';
import { DataTable } from '../components/data-table.tsx';
import { SelectField } from '../components/field.tsx';
import { LevelBar } from '../components/level-bar.tsx';
import { EmptyState, Notice } from '../components/notice.tsx';
import { Time, TimeSpan } from '../components/time.tsx';
import { decisionsHref } from '../decisions/decision-query.ts';
import { formatCount } from '../overview/format.ts';
import { sendPage } from '../page.tsx';
import type { DashboardContext } from '../router.ts';
import {
  type CampaignPageQuery,
  decisionParamsOf,
  KIND_WORDS,
  oneCampaignFields,
  WINDOW_WORDS,
} from './campaign-query.ts';
import { suspicionOf } from './suspicion.ts';

export interface CampaignsView {
  readonly query: CampaignPageQuery;
  readonly from: number;
  readonly to: number;
  readonly found: Campaigns;
  /** The texts of patterns, by their keys. A pattern is missing when no decision has its text. */
  readonly names: ReadonlyMap<string, string>;
}

const LEVELS_SHOWN = ['high', 'medium', 'low'] as const;
const COLUMNS = [
  'Shared value',
  'Suspicion',
  'Mailboxes',
  'Attempts',
  'Networks',
  'Domains',
  'Levels',
  'Let in',
  'First and last',
];

export function sendCampaignsPage(context: DashboardContext, view: CampaignsView): void {
  const { query, found } = view;
  sendPage(context, {
    title: 'Campaigns',
    content: (
      <>
        <h1>Campaigns</h1>
        <p>
          Groups of attempts that have one thing in common and at least {SMALLEST_CAMPAIGN} different
          mailboxes, the most suspicious first. Not every group is an attack. Check a group before you deny
          it.
        </p>
        <ChoiceForm query={query} />
        <p class="hint">{KIND_WORDS[query.kind].what}</p>
        {found.campaigns.length === 0 ? (
          <EmptyState title="No campaigns in this time">
            <p>Choose a longer time, or another kind under “Shared value”.</p>
          </EmptyState>
        ) : (
          <DataTable caption={KIND_WORDS[query.kind].plural} columns={COLUMNS} cards>
            {[...found.campaigns]
              .sort((a, b) => suspicionOf(b) - suspicionOf(a) || b.mailboxes - a.mailboxes)
              .map((campaign) => campaignRow(campaign, view))}
          </DataTable>
        )}
        {found.searchedBackTo !== null && (
          <Notice kind="warning">
            <p>
              Too many attempts: only attempts after <Time at={found.searchedBackTo} exact="minute" /> were
              searched.
            </p>
          </Notice>
        )}
      </>
    ),
  });
}

function ChoiceForm({ query }: { readonly query: CampaignPageQuery }) {
  return (
    <form method="get" action="/campaigns" class="filters" data-filters>
      <SelectField
        name="by"
        label="Shared value"
        value={query.kind}
        options={CAMPAIGN_KINDS.map((kind) => ({ value: kind, label: KIND_WORDS[kind].plural }))}
      />
      <SelectField
        name="within"
        label="Within"
        value={query.within}
        options={Object.entries(WINDOW_WORDS).map(([value, label]) => ({ value, label }))}
      />
      <button type="submit">Show</button>
    </form>
  );
}

function campaignRow(campaign: Campaign, view: CampaignsView) {
  const { kind, key, levels, passed } = campaign;
  const { from, to } = view;
  const params = decisionParamsOf(campaign, { from, to });
  const pattern = view.names.get(key) ?? null;
  const count = (condition: Readonly<Record<string, string>>, number: number): ComponentChildren =>
    number === 0 ? 0 : <a href={decisionsHref(params, condition)}>{formatCount(number)}</a>;
  return (
    <tr key={key}>
      <th scope="row" class="long">
        <a
          class="opens"
          href={`/campaigns/one?${new URLSearchParams(oneCampaignFields({ kind, key, from, to }))}`}
        >
          {pattern !== null ? <code>{nameOfPattern(pattern)}</code> : traitOf(campaign)}
        </a>
        {kind === 'template' && pattern === null && <span class="hint"> {key.slice(0, 8)}</span>}
        {pattern !== null && <span class="hint"> such as {exampleOfPattern(pattern)}</span>}
      </th>
      <td>{suspicionOf(campaign)} of 100</td>
      <td>{formatCount(campaign.mailboxes)}</td>
      <td>{count({}, campaign.attempts)}</td>
      <td>{formatCount(campaign.networks)}</td>
      <td>{formatCount(campaign.domains)}</td>
      <td class="short">
        {LEVELS_SHOWN.filter((level) => levels[level] > 0).map((level, i) => (
          <>
            {i > 0 && ', '}
            {count({ level }, levels[level])} {level}
          </>
        ))}
        <LevelBar levels={levels} />
      </td>
      <td>{count({ passed: 'yes' }, passed)}</td>
      <td>
        <TimeSpan from={campaign.first} to={campaign.last} />
      </td>
    </tr>
  );
}

function traitOf({ kind, key }: Campaign): ComponentChildren {
  // The text of the pattern is not stored; the beginning of its hash distinguishes two patterns.
  if (kind === 'template') return 'Mailboxes of one pattern';
  if (kind === 'cohort') return capitalized(traitOfStyle(key));
  return key;
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
