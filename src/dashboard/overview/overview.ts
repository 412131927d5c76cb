import { verifiesByMail } from '../../config/verifies-by-mail.ts';
import { signedIn, viewerOf } from '../access.ts';
import { scopeOf } from '../accounts/viewer.ts';
import type { DashboardDependencies } from '../dashboard-dependencies.ts';
import type { DashboardContext, DashboardRouter } from '../router.ts';
import { compareWithLastWeek } from './comparison.ts';
import { readHappenings } from './happenings.ts';
import type { UnsentMails } from './health.ts';
import { readOverview } from './overview-figures.ts';
import { sendOverviewPage } from './overview-page.tsx';
import { readOverviewQuery } from './overview-query.ts';

/** Figures of the API and of the gate. Members see their own account, operators see all accounts. */
export function registerOverview(router: DashboardRouter, dependencies: DashboardDependencies): void {
  router.get('/overview', signedIn, (context) => showOverview(context, dependencies));
}

async function showOverview(context: DashboardContext, dependencies: DashboardDependencies): Promise<void> {
  const viewer = viewerOf(context);
  const { rollups } = dependencies.records;
  const now = dependencies.clock();
  const params = new URLSearchParams(context.querystring);
  const query = readOverviewQuery(params, { viewerScope: scopeOf(viewer), now });
  const figures = await readOverview(rollups, query);
  const isOperator = viewer.role === 'operator';
  sendOverviewPage(context, {
    query,
    figures,
    now,
    comparison: await compareWithLastWeek(rollups, query.counts, now),
    apiUrl: dependencies.apiUrl,
    site: isOperator
      ? {
          status: await dependencies.status(),
          unsentMails: unsentMailsOf(dependencies),
          accounts: await rollups.accounts(query.counts),
          routes: await rollups.routes(query.counts),
          happenings: await readHappenings(dependencies.records, query.counts),
          trims: await dependencies.records.decisions.trims(),
          bounds: dependencies.config().storage,
          nodes: (await dependencies.records.fleet?.nodes.list()) ?? null,
        }
      : null,
  });
}

function unsentMailsOf({ config, mailbox }: DashboardDependencies): UnsentMails {
  if (!verifiesByMail(config())) return 'none';
  return mailbox()?.isOpen() ? 'shown' : 'lost';
}
