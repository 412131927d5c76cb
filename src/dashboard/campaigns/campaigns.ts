import { operatorOnly, viewerOf } from '../access.ts';
import { addToLists, endOf } from '../add-to-lists.ts';
import type { DashboardDependencies } from '../dashboard-dependencies.ts';
import { readDecisionQuery } from '../decisions/decision-query.ts';
import { notThere, PageError } from '../page-error.ts';
import type { DashboardContext, DashboardRouter } from '../router.ts';
import { sendCampaignPage, sendDeniedPage } from './campaign-page.tsx';
import {
  decisionParamsOf,
  readCampaignPageQuery,
  readOneCampaignQuery,
  windowBefore,
} from './campaign-query.ts';
import { sendCampaignsPage } from './campaigns-page.tsx';
import { DENIABLE, DENIED_AT_ONCE, MAX_DENIED, toDenyRequests, valuesOf } from './deny-campaign.ts';
import { isOneEntryKind, PREVIEW_DAYS, patternOf } from './deny-pattern.ts';
import { sendPatternDeniedPage } from './deny-pattern-panel.tsx';
import { sourcesOf } from './passed-by.ts';
import { sendSentPage } from './passed-panel.tsx';
import { sendPassed } from './send-passed.ts';

const MAX_NOTICES = 20;
const DAY_MS = 86_400_000;
const SEND_RETRY_AFTER_SECONDS = 30;

/** Groups of similar attempts, and a form that denies a whole group. For operators. */
export function registerCampaigns(router: DashboardRouter, dependencies: DashboardDependencies): void {
  router.get('/campaigns', operatorOnly, (context) => showAll(context, dependencies));
  router.get('/campaigns/one', operatorOnly, (context) => showOne(context, dependencies));
  router.post('/campaigns/send', operatorOnly, createSender(dependencies));
  router.post('/campaigns/deny', operatorOnly, (context) => deny(context, dependencies));
  router.post('/campaigns/deny-pattern', operatorOnly, (context) => denyPattern(context, dependencies));
}

async function showAll(context: DashboardContext, { records, clock }: DashboardDependencies): Promise<void> {
  const query = readCampaignPageQuery(new URLSearchParams(context.querystring));
  const { from, to } = windowBefore(clock() + 1, query.within);
  const [found, events] = await Promise.all([
    records.decisionSearch.campaigns({ accountId: null, kind: query.kind, from, to }),
    records.attacks.within({ from, to }),
  ]);
  const isPattern = query.kind === 'template';
  const names = new Map(isPattern ? await records.decisionSearch.patternNames(found.campaigns) : []);
  // The text that most of an attack had says more than that of its newest signup.
  for (const { kind, key, name } of events)
    if (isPattern && kind === 'template' && name) names.set(key, name);
  sendCampaignsPage(context, { query, from, to, found, names });
}

async function showOne(
  context: DashboardContext,
  { records, clock, config }: DashboardDependencies,
): Promise<void> {
  const { decisionSearch } = records;
  const params = new URLSearchParams(context.querystring);
  const query = readOneCampaignQuery((field) => params.get(field));
  if (!query) throw notThere();
  const campaign = await decisionSearch.campaign({ ...query, accountId: null }, query.key);
  if (!campaign) throw notThere();
  const { kind, key } = query;
  const now = clock() + 1;
  const [details, name, preview] = await Promise.all([
    decisionSearch.details(campaign),
    kind === 'template' ? decisionSearch.patternName(query) : null,
    isOneEntryKind(kind)
      ? decisionSearch.reach({ kind, key, from: now - PREVIEW_DAYS * DAY_MS, to: now })
      : null,
  ]);
  const sources = await sourcesOf(details, records);
  const receivers = config().exports.map((one) => one.name);
  sendCampaignPage(context, { query, campaign, details, sources, name, preview, receivers });
}

/** At most one sending to each webhook at a time: when a webhook is slow, users click again. */
function createSender(dependencies: DashboardDependencies) {
  const sending = new Set<string>();
  return async (context: DashboardContext): Promise<void> => {
    const name = context.state.form.text('export');
    if (sending.has(name)) {
      throw new PageError(
        429,
        'Signups are being sent to this webhook. Wait until the audit log has an entry about it.',
        SEND_RETRY_AFTER_SECONDS,
      );
    }
    sending.add(name);
    try {
      await sendToWebhook(context, dependencies);
    } finally {
      sending.delete(name);
    }
  };
}

/** Sends the decisions of a campaign that passed to one webhook. */
async function sendToWebhook(context: DashboardContext, dependencies: DashboardDependencies): Promise<void> {
  const { form } = context.state;
  const { records, config, clock } = dependencies;
  const query = readOneCampaignQuery((name) => form.text(name));
  const receiver = config().exports.find(({ name }) => name === form.text('export'));
  if (!query || !receiver) throw new PageError(400, 'Open the campaign again, and choose a webhook.');
  const campaign = await records.decisionSearch.campaign({ ...query, accountId: null }, query.key);
  if (!campaign) throw notThere();
  const params = decisionParamsOf(campaign, query);
  const { filter } = readDecisionQuery(params, { accountId: null, now: query.to });
  const chunks = records.decisionSearch.scan({ ...filter, passed: true });
  const result = await sendPassed(receiver, chunks, { query, now: clock });
  const { accountId, name } = viewerOf(context);
  await records.audit.record({
    at: clock(),
    actorId: accountId,
    actorName: name,
    act: 'campaign.exported',
    subject: `${query.kind} ${query.key}`,
    detail: { webhook: receiver.name, decisions: result.sent, failure: result.because },
  });
  sendSentPage(context, { query, name: receiver.name, result });
}

/** Adds one entry for what all signups have in common. The list writes its audit entry. */
async function denyPattern(context: DashboardContext, dependencies: DashboardDependencies): Promise<void> {
  const { form } = context.state;
  const query = readOneCampaignQuery((name) => form.text(name));
  if (!query) throw new PageError(400, 'Open the campaign again: the form is incomplete.');
  const { decisionSearch } = dependencies.records;
  const name = query.kind === 'template' ? await decisionSearch.patternName(query) : null;
  const pattern = patternOf(query, name);
  if (!pattern) throw new PageError(400, 'Choose the part of the campaign to deny.');
  const { subject } = pattern;
  const expiresAt = endOf(context, dependencies.clock());
  const request = { list: 'deny', subject, note: form.text('note') || null, expiresAt } as const;
  const { entries, notices } = await addToLists(context, dependencies, [request]);
  const [entry] = entries;
  if (!entry) throw new PageError(400, 'The entry was not added. Try again.');
  sendPatternDeniedPage(context, { query, pattern, entry, notices });
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
    at: dependencies.clock(),
    actorId: accountId,
    actorName: name,
    act: 'campaign.denied',
    subject: `${query.kind} ${query.key}`,
    detail: { denied: of, entries: values.length },
  });
  sendDeniedPage(context, {
    query,
    denied: values.length,
    isCut: found.length > MAX_DENIED,
    notices: [...notices],
  });
}
