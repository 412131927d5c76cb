import { everyUser, signedIn, viewerOf } from '../access.ts';
import { scopeOf } from '../accounts/viewer.ts';
import type { DashboardDependencies } from '../dashboard-dependencies.ts';
import { sendFragment } from '../page.tsx';
import { PageError } from '../page-error.ts';
import type { DashboardContext, DashboardRouter } from '../router.ts';
import { createUserLimit } from '../user-limit.ts';
import { type DecisionQuery, readDecisionQuery } from './decision-query.ts';
import { DecisionRows } from './decision-table.tsx';
import { sendDecisionsPage } from './decisions-page.tsx';
import { describeDecisions } from './describe-decisions.ts';
import { type ExportFormat, sendExport } from './export-decisions.ts';
import { registerOneDecision } from './one-decision.ts';
import { createPolicies, type Policies } from './policies.ts';

const PAGE_ROWS = 50;
/** An export may take minutes, as fast as its client reads it. */
const EXPORTS_OF_USER = 2;
const TOO_MANY_EXPORTS = 'Two of your exports are under way. Wait until one of them is complete.';

/**
 * The pages of decisions: list with filters, export, and one decision with its evidence. Members see decisions of their
 * own account.
 */
export function registerDecisions(router: DashboardRouter, dependencies: DashboardDependencies): void {
  const policies = createPolicies(dependencies.records);
  router.get('/decisions', everyUser, (context) => showList(context, dependencies, policies));
  router.get('/decisions/rows', everyUser, (context) => showRows(context, dependencies, policies));
  const running = createUserLimit({ atOnce: EXPORTS_OF_USER, maxWaiting: 0, refusal: TOO_MANY_EXPORTS });
  for (const format of ['csv', 'ndjson'] as const) {
    router.get(`/decisions/export.${format}`, signedIn, async (context) => {
      context.res.once('close', await running.enter(viewerOf(context).accountId));
      await exportList(context, dependencies, format);
    });
  }
  registerOneDecision(router, dependencies, policies);
}

async function showList(
  context: DashboardContext,
  dependencies: DashboardDependencies,
  policies: Policies,
): Promise<void> {
  const query = queryOf(context, dependencies);
  const page = query.issues.length > 0 ? null : await readPage(query, dependencies);
  const rows = page ? await describeDecisions(page.decisions, dependencies.records, policies) : [];
  const mayExport = viewerOf(context).role !== 'support';
  sendDecisionsPage(context, { query, page, rows, apiUrl: dependencies.apiUrl, mayExport });
}

async function showRows(
  context: DashboardContext,
  dependencies: DashboardDependencies,
  policies: Policies,
): Promise<void> {
  const query = readable(queryOf(context, dependencies));
  const { decisions } = await readPage({ ...query, cursor: null }, dependencies);
  const rows = await describeDecisions(decisions, dependencies.records, policies);
  sendFragment(context, DecisionRows({ rows, params: query.params }));
}

async function readPage({ filter, cursor }: DecisionQuery, { records }: DashboardDependencies) {
  const page = await records.decisionSearch.page(filter, cursor, PAGE_ROWS);
  if (!page) throw new PageError(400, 'This URL is not complete. Go back to the newest decisions.');
  return page;
}

async function exportList(
  context: DashboardContext,
  dependencies: DashboardDependencies,
  format: ExportFormat,
): Promise<void> {
  const { filter, params } = readable(queryOf(context, dependencies));
  const { accountId, name } = viewerOf(context);
  await dependencies.records.audit.record({
    at: dependencies.clock(),
    actorId: accountId,
    actorName: name,
    act: 'decision.exported',
    subject: `as ${format}`,
    detail: { conditions: params.size === 0 ? 'none' : params.toString() },
  });
  sendExport(context, dependencies, { filter, format, name: 'decisions' });
}

function queryOf(context: DashboardContext, { clock }: DashboardDependencies): DecisionQuery {
  const accountId = scopeOf(viewerOf(context));
  return readDecisionQuery(new URLSearchParams(context.querystring), { accountId, now: clock() });
}

function readable(query: DecisionQuery): DecisionQuery {
  if (query.issues.length > 0) throw new PageError(400, query.issues.join(' '));
  return query;
}
