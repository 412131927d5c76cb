import type { RequestListener } from 'node:http';
import Koa from 'koa';
import { AccountError } from '../accounts/account-error.ts';
import { createAccountService } from '../accounts/account-service.ts';
import { runInTurn } from '../http/event-loop.ts';
import { createRequestId } from '../http/request-id.ts';
import { StorageAwayError, StorageBusyError, StorageInDoubtError } from '../storage/storage-error.ts';
import { mailBudgetsOf } from '../verification/verify-step.ts';
import { isOwnHost } from '../web/loopback.ts';
import { everyUser, seeOther, viewerOf } from './access.ts';
import { loadViewer } from './accounts/account-cookies.ts';
import type { AccountDependencies } from './accounts/account-dependencies.ts';
import { registerAccountPages } from './accounts/account-pages.ts';
import { csrfTokenFor, refuseForgery } from './accounts/csrf.ts';
import { senderOf } from './accounts/request-client.ts';
import { registerAudit } from './audit/audit.ts';
import { registerCampaigns } from './campaigns/campaigns.ts';
import type { DashboardDependencies } from './dashboard-dependencies.ts';
import { registerDecisions } from './decisions/decisions.ts';
import { sendErrorPage } from './error-page.tsx';
import { readFields } from './form.ts';
import { registerKeys } from './keys/keys.ts';
import { registerLists } from './lists/lists.ts';
import { createMetricsPage } from './metrics/metrics-page.ts';
import { registerOverview } from './overview/overview.ts';
import { PageError, pageErrorOf } from './page-error.ts';
import { createPageTurns } from './page-turns.ts';
import { readForm } from './read-form.ts';
import { registerReview } from './review/review.ts';
import { createRouter, type DashboardContext, type DashboardRouter, type DashboardState } from './router.ts';
import { registerRoutes } from './routes/routes.ts';
import { registerSearch } from './search/search.ts';
import { securityHeaders } from './security-headers.ts';
import { registerSimulator } from './simulator/simulator.ts';
import { loadStaticFiles } from './static-files.ts';
import { registerUsage } from './usage/usage.ts';

const YEAR_SECONDS = 31_536_000;
const BUSY_RETRY_SECONDS = 5;
/** The work for a page, in units of `runInTurn`. */
const PAGE_UNITS = 8;

/** The dashboard as a Koa app. This file has the guards of every page; each group of pages has its own folder. */
export function createDashboard(dependencies: DashboardDependencies): RequestListener {
  const router = createRouter();
  const files = loadStaticFiles();
  const accounts = createAccountService({
    ...dependencies,
    plans: () => Object.keys(dependencies.config().api.plans),
    requiresTwoFactor: () => dependencies.config().dashboard.require_two_factor,
    mailBudgets: () => mailBudgetsOf(dependencies.config().verification),
  });
  registerPages(router, { ...dependencies, accounts });
  const takeTurn = createPageTurns();

  async function guard(context: DashboardContext, next: () => Promise<void>): Promise<void> {
    const now = dependencies.clock();
    context.state = {
      requestId: createRequestId(now),
      now,
      files,
      viewer: null,
      csrfToken: '',
      form: readFields(null),
      upload: null,
    };
    const publicUrl = dependencies.publicUrl();
    context.set(securityHeaders({ isHttps: publicUrl.startsWith('https:') }));
    context.set('X-Request-Id', context.state.requestId);
    try {
      if (!isOwnHost(context.headers.host, publicUrl)) {
        throw new PageError(421, `Open ${publicUrl}, or set this address as dashboard.public_url.`);
      }
      await identify(context);
      if (context.method === 'POST') {
        context.state.form = await readForm(context);
        refuseForgery(context, publicUrl);
      }
      if (mustSetUpTwoFactor(context)) {
        seeOther(context, '/account/two-factor');
        return;
      }
      const user = context.method === 'POST' ? undefined : context.state.viewer?.accountId;
      if (user === undefined || isStatic(context)) await next();
      // A client may leave before its turn. Then its page is not read.
      else await takeTurn(user, async () => (context.res.destroyed ? undefined : await next()));
    } catch (error) {
      sendErrorPage(context, toPageError(error, context));
    }
  }

  async function identify(context: DashboardContext): Promise<void> {
    const { state } = context;
    state.viewer = await loadViewer(context, accounts.sessions, {
      publicUrl: dependencies.publicUrl(),
      requiresTwoFactor: dependencies.config().dashboard.require_two_factor,
    });
    state.csrfToken = state.viewer ? csrfTokenFor(state.viewer.sessionId, dependencies.secret) : '';
  }

  function toPageError(error: unknown, { state, req }: DashboardContext): PageError {
    if (error instanceof PageError) return error;
    if (error instanceof AccountError) return pageErrorOf(error);
    const unavailable = unavailableOf(error);
    if (unavailable !== null) return new PageError(503, unavailable, BUSY_RETRY_SECONDS);
    // The client disconnected while it sent its form.
    if (!req.destroyed) dependencies.log.error({ err: error, request_id: state.requestId }, 'a page failed');
    return new PageError(500, 'Internal error. Quote the request id when you report it.');
  }

  const app = new Koa<DashboardState>({ env: 'production' });
  app.use(guard as Koa.Middleware<DashboardState>);
  app.use(router.routes() as unknown as Koa.Middleware<DashboardState>);
  app.use(nothingFound as unknown as Koa.Middleware<DashboardState>);
  app.on('error', (error: unknown) => {
    if (!isAbandoned(error)) dependencies.log.error({ err: error }, 'an answer could not be written');
  });

  function nothingFound(context: DashboardContext): void {
    const { path } = router.match(context.path, context.method);
    if (path.length === 0) throw new PageError(404, 'This page does not exist.');
    context.set('Allow', [...new Set(path.flatMap(({ methods }) => methods))].join(', '));
    throw new PageError(405, 'This page does not allow this method.');
  }

  // This page is outside the guards: a scraper has no session, and may use another name for this machine.
  const answersMetrics = createMetricsPage({
    token: () => dependencies.config().dashboard.metrics_token,
    exposition: dependencies.exposition,
  });
  const pages = app.callback();
  return (request, response) => {
    if (answersMetrics(request, response)) return;
    runInTurn(
      () => void pages(request, response),
      () => senderOf(request, dependencies.config()),
      PAGE_UNITS,
    );
  };
}

/** This guard comes before every other page. Signing out and the files of the page still work. */
function mustSetUpTwoFactor({ state, path }: DashboardContext): boolean {
  return (
    state.viewer?.owesTwoFactor === true && !/^\/(account\/two-factor|static|sign-out$)(\/|$)/.test(path)
  );
}

function isStatic({ path }: DashboardContext): boolean {
  return path.startsWith('/static/');
}

/** The client disconnected in the middle of a long answer. This is normal and not logged as an error. */
function isAbandoned(error: unknown): boolean {
  return /^(ECONNRESET|EPIPE|ERR_STREAM_PREMATURE_CLOSE)$/.test((error as { code?: string }).code ?? '');
}

/** Registers every page of the dashboard. */
export function registerPages(router: DashboardRouter, dependencies: AccountDependencies): void {
  // After signing in, a visitor returns here: only then is the role known.
  router.get('/', everyUser, (context) =>
    context.redirect(viewerOf(context).role === 'support' ? '/review' : '/overview'),
  );
  router.get('/static/:name', sendStaticFile);
  registerAccountPages(router, dependencies);
  registerOverview(router, dependencies);
  registerRoutes(router, dependencies);
  registerDecisions(router, dependencies);
  registerReview(router, dependencies);
  registerSearch(router, dependencies);
  registerCampaigns(router, dependencies);
  registerLists(router, dependencies);
  registerSimulator(router, dependencies);
  registerKeys(router, dependencies);
  registerUsage(router, dependencies);
  registerAudit(router, dependencies);
  router.get('/mailbox', (context) => showMailbox(context, dependencies));
}

async function showMailbox(context: DashboardContext, parts: DashboardDependencies): Promise<void> {
  const mailbox = parts.mailbox();
  if (!mailbox)
    throw new PageError(
      404,
      'The development mailbox exists only when no mail server is configured and the dashboard listens on loopback.',
    );
  if (await parts.records.users.hasOperator()) mailbox.forAccounts.stop();
  context.respond = false;
  mailbox.handle(context.req, context.res);
}

function sendStaticFile(context: DashboardContext): void {
  const file = context.state.files.find(context.params.name ?? '');
  if (!file) throw new PageError(404, 'This file does not exist.');
  context.set(
    'Cache-Control',
    context.query.v === file.version ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache',
  );
  context.type = file.type;
  context.body = file.content;
}

function unavailableOf(error: unknown): string | null {
  if (error instanceof StorageAwayError) return 'The database does not answer. Try again in a moment.';
  if (error instanceof StorageInDoubtError) {
    return 'The connection to the database ended while it was saving. Check whether the change is there before you try again.';
  }
  if (error instanceof StorageBusyError)
    return 'Too many pages are being read at once. Try again in a moment.';
  return null;
}
