import { signedIn, viewerOf } from '../access.ts';
import { scopeOf } from '../accounts/viewer.ts';
import type { DashboardDependencies } from '../dashboard-dependencies.ts';
import type { DashboardContext, DashboardRouter } from '../router.ts';
import { readOverview } from './overview-figures.ts';
import { sendOverviewPage } from './overview-page.tsx';
import { readOverviewQuery } from './overview-query.ts';

/** Figures of the API and of the gate. Members see their own account, operators see all accounts. */
export function registerOverview(router: DashboardRouter, parts: DashboardDependencies): void {
  router.get('/overview', signedIn, (context) => showOverview(context, parts));
}

async function showOverview(context: DashboardContext, parts: DashboardDependencies): Promise<void> {
  const viewer = viewerOf(context);
  const { rollups } = parts.records;
  const now = parts.clock();
  const params = new URLSearchParams(context.querystring);
  const query = readOverviewQuery(params, { viewerScope: scopeOf(viewer), now });
  const figures = await readOverview(rollups, query);
  const isOperator = viewer.role === 'operator';
  sendOverviewPage(context, {
    ...{ query, figures, now },
    apiUrl: parts.apiUrl,
    site: isOperator
      ? {
          status: await parts.status(),
          accounts: await rollups.accounts(query.counts),
          routes: await rollups.routes(query.counts),
          trims: await parts.records.decisions.trims(),
          bounds: parts.config().storage,
        }
      : null,
  });
}
