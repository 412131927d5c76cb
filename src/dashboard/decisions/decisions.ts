import { parseMailbox } from '../../addresses/mailbox.ts';
import { identifyMailbox } from '../../assessment/identity.ts';
import type { StoredDecision } from '../../storage/decisions/decision-record.ts';
import { seeOther, signedIn, viewerOf } from '../access.ts';
import { scopeOf } from '../accounts/viewer.ts';
import type { DashboardDependencies } from '../dashboard-dependencies.ts';
import { sendFragment } from '../page.tsx';
import { PageError } from '../page-error.ts';
import type { DashboardContext, DashboardRouter } from '../router.ts';
import { type DecisionQuery, readDecisionQuery } from './decision-query.ts';
import { DecisionRows, type ListedDecision } from './decision-table.tsx';
import { sendDecisionsPage } from './decisions-page.tsx';
import { type ExportFormat, sendExport } from './export-decisions.ts';
import { registerOneDecision } from './one-decision.ts';
import { createPolicies, type Policies, topReason } from './policies.ts';

const PAGE_ROWS = 50;

/**
 * The pages of decisions: list with filters, export, and one decision with its evidence. Members see decisions of their
 * own account.
 */
export function registerDecisions(router: DashboardRouter, parts: DashboardDependencies): void {
  const policies = createPolicies(parts.records);
  router.get('/decisions', signedIn, (context) => showList(context, parts, policies));
  router.get('/decisions/rows', signedIn, (context) => showRows(context, parts, policies));
  router.post('/decisions/of-mailbox', signedIn, (context) => findMailbox(context, parts));
  for (const format of ['csv', 'ndjson'] as const) {
    router.get(`/decisions/export.${format}`, signedIn, (context) => exportList(context, parts, format));
  }
  registerOneDecision(router, parts, policies);
}

async function showList(
  context: DashboardContext,
  parts: DashboardDependencies,
  policies: Policies,
): Promise<void> {
  const query = queryOf(context, parts);
  const page = query.mistakes.length > 0 ? null : await readPage(query, parts);
  const rows = page ? await describeAll(page.decisions, parts, policies) : [];
  sendDecisionsPage(context, { query, page, rows, apiUrl: parts.apiUrl });
}

async function showRows(
  context: DashboardContext,
  parts: DashboardDependencies,
  policies: Policies,
): Promise<void> {
  const query = readable(queryOf(context, parts));
  const { decisions } = await readPage({ ...query, cursor: null }, parts);
  const rows = await describeAll(decisions, parts, policies);
  sendFragment(context, DecisionRows({ rows, params: query.params }));
}

async function readPage({ filter, cursor }: DecisionQuery, { records }: DashboardDependencies) {
  const page = await records.decisionSearch.page(filter, cursor, PAGE_ROWS);
  if (!page) throw new PageError(400, 'This URL is not complete. Go back to the newest decisions.');
  return page;
}

async function describeAll(
  decisions: readonly StoredDecision[],
  { records }: DashboardDependencies,
  policies: Policies,
): Promise<readonly ListedDecision[]> {
  const keyIds = new Set(decisions.flatMap(({ keyId }) => keyId ?? []));
  const keys = await records.decisionSearch.keys([...keyIds]);
  const rows: ListedDecision[] = [];
  for (const decision of decisions) {
    const policy = await policies.of(decision);
    rows.push({
      decision,
      reason: policy && topReason(decision, policy),
      key: keys.get(decision.keyId ?? '') ?? null,
    });
  }
  return rows;
}

/** Redirects to the decisions of a mailbox by its pseudonym. */
function findMailbox(context: DashboardContext, { pseudonymize }: DashboardDependencies): void {
  const mailbox = parseMailbox(context.state.form.text('email'));
  if (!mailbox) throw new PageError(400, 'This is not an email address. Write it like someone@example.net.');
  seeOther(context, `/decisions?mailbox=${identifyMailbox(mailbox, pseudonymize).mailbox}`);
}

async function exportList(
  context: DashboardContext,
  parts: DashboardDependencies,
  format: ExportFormat,
): Promise<void> {
  const { filter, params } = readable(queryOf(context, parts));
  const { accountId, name } = viewerOf(context);
  await parts.records.audit.record({
    ...{ at: parts.clock(), actorId: accountId, actorName: name, act: 'decision.exported' },
    ...{ subject: `as ${format}`, detail: { conditions: params.size === 0 ? 'none' : params.toString() } },
  });
  sendExport(context, parts, { filter, format, name: 'decisions' });
}

function queryOf(context: DashboardContext, { clock }: DashboardDependencies): DecisionQuery {
  const accountId = scopeOf(viewerOf(context));
  return readDecisionQuery(new URLSearchParams(context.querystring), { accountId, now: clock() });
}

function readable(query: DecisionQuery): DecisionQuery {
  if (query.mistakes.length > 0) throw new PageError(400, query.mistakes.join(' '));
  return query;
}
