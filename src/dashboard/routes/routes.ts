import type { DecisionCount } from '../../storage/rollups/rollup-store.ts';
import { operatorOnly } from '../access.ts';
import type { DashboardDependencies } from '../dashboard-dependencies.ts';
import type { DashboardContext, DashboardRouter } from '../router.ts';
import { type RouteWeek, sendRoutesPage } from './routes-page.tsx';

const HOUR_MS = 3_600_000;
const WEEK_MS = 168 * HOUR_MS;
/** The number of routes is limited, since each costs one query. */
const MAX_ROUTES = 100;

/** The page of the routes with their figures of this week, and of the policy and data of the judge. For operators. */
export function registerRoutes(router: DashboardRouter, dependencies: DashboardDependencies): void {
  router.get('/routes', operatorOnly, (context) => show(context, dependencies));
}

async function show(context: DashboardContext, dependencies: DashboardDependencies): Promise<void> {
  const { rollups, fleet } = dependencies.records;
  const now = dependencies.clock();
  const config = dependencies.config();
  const to = (Math.floor(now / HOUR_MS) + 1) * HOUR_MS;
  const configured = config.proxy?.routes ?? [];
  const weeks: RouteWeek[] = [];
  for (const route of configured.slice(0, MAX_ROUTES)) {
    const counts = await rollups.decisions({ accountId: null, route: route.name, from: to - WEEK_MS, to });
    weeks.push({ route, ...weekOf(counts) });
  }
  sendRoutesPage(context, {
    weeks,
    now,
    config,
    hidden: configured.length - weeks.length,
    status: await dependencies.status(),
    nodes: (await fleet?.nodes.list()) ?? null,
  });
}

function weekOf(counts: readonly DecisionCount[]): Omit<RouteWeek, 'route'> {
  const sumOf = (isCounted: (row: DecisionCount) => boolean) =>
    counts.filter((row) => !row.test && isCounted(row)).reduce((sum, { count }) => sum + count, 0);
  const enforced = (wanted: DecisionCount['wantedAction']) =>
    sumOf(({ mode, wantedAction }) => mode === 'enforce' && wantedAction === wanted);
  return {
    signups: sumOf(() => true),
    passed: enforced('forward'),
    verified: enforced('verify'),
    refused: enforced('block'),
    watched: sumOf(({ mode }) => mode === 'monitor'),
    degraded: sumOf(({ degraded }) => degraded),
  };
}
