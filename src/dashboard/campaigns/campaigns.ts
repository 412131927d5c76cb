import { operatorOnly, viewerOf } from '../access.ts';
import { addToLists, endOf } from '../add-to-lists.ts';
import type { DashboardDependencies } from '../dashboard-dependencies.ts';
import { notThere, PageError } from '../page-error.ts';
import type { DashboardContext, DashboardRouter } from '../router.ts';
import { sendCampaignPage, sendDeniedPage } from './campaign-page.tsx';
import { readCampaignPageQuery, readOneCampaignQuery, windowBefore } from './campaign-query.ts';
import { sendCampaignsPage } from './campaigns-page.tsx';
import { DENIABLE, DENIED_AT_ONCE, MAX_DENIED, toDenyRequests, valuesOf } from './deny-campaign.ts';

const MAX_NOTICES = 20;
const EXAMPLES = 21;

/** Groups of similar attempts, and a form that denies a whole group. For operators. */
export function registerCampaigns(router: DashboardRouter, dependencies: DashboardDependencies): void {
  router.get('/campaigns', operatorOnly, (context) => showAll(context, dependencies));
  router.get('/campaigns/one', operatorOnly, (context) => showOne(context, dependencies));
  router.post('/campaigns/deny', operatorOnly, (context) => deny(context, dependencies));
}

async function showAll(context: DashboardContext, { records, clock }: DashboardDependencies): Promise<void> {
  const query = readCampaignPageQuery(new URLSearchParams(context.querystring));
  const { from, to } = windowBefore(clock() + 1, query.within);
  const found = await records.decisionSearch.campaigns({ accountId: null, kind: query.kind, from, to });
  sendCampaignsPage(context, { query, from, to, found });
}

async function showOne(
  context: DashboardContext,
  { records: { decisionSearch } }: DashboardDependencies,
): Promise<void> {
  const params = new URLSearchParams(context.querystring);
  const query = readOneCampaignQuery((name) => params.get(name));
  if (!query) throw notThere();
  const campaign = await decisionSearch.campaign({ ...query, accountId: null }, query.key);
  if (!campaign) throw notThere();
  const [domains, networks] = await Promise.all([
    valuesOf(decisionSearch, { campaign, query, of: 'domain', limit: EXAMPLES }),
    valuesOf(decisionSearch, { campaign, query, of: 'network', limit: EXAMPLES }),
  ]);
  sendCampaignPage(context, { query, campaign, domains, networks });
}

async function deny(context: DashboardContext, dependencies: DashboardDependencies): Promise<void> {
  const { form } = context.state;
  const { records } = dependencies;
  const query = readOneCampaignQuery((name) => form.text(name));
  const of = DENIABLE.find((what) => what === form.text('what'));
  if (!query || !of) throw new PageError(400, 'Choose the part of the campaign to deny.');
  const campaign = await records.decisionSearch.campaign({ ...query, accountId: null }, query.key);
  if (!campaign) throw notThere();
  const found = await valuesOf(records.decisionSearch, { campaign, query, of, limit: MAX_DENIED + 1 });
  const values = found.slice(0, MAX_DENIED);
  if (values.length === 0)
    throw new PageError(400, 'The campaign has no values of this kind. Choose another part to deny.');
  const note = [form.text('note'), `campaign by ${query.kind} ${query.key.slice(0, 100)}`]
    .filter(Boolean)
    .join(', ');
  const requests = toDenyRequests(values, { of, note, expiresAt: endOf(context, dependencies.clock()) });
  const notices = new Set<string>();
  for (let from = 0; from < requests.length; from += DENIED_AT_ONCE) {
    const some = requests.slice(from, from + DENIED_AT_ONCE);
    for (const notice of (await addToLists(context, dependencies, some)).notices) {
      if (notices.size < MAX_NOTICES) notices.add(notice);
    }
  }
  const { accountId, name } = viewerOf(context);
  await dependencies.records.audit.record({
    ...{ at: dependencies.clock(), actorId: accountId, actorName: name, act: 'campaign.denied' },
    ...{ subject: `${query.kind} ${query.key}`, detail: { denied: of, entries: values.length } },
  });
  sendDeniedPage(context, {
    query,
    denied: values.length,
    isCut: found.length > MAX_DENIED,
    notices: [...notices],
  });
}
