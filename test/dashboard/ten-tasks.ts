import type { ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { openBrowser } from '../helpers/browser.ts';
import type { Visitor } from './dashboard-server.ts';
import { type App, type ReviewServer, startApp, startReview } from './review/review-server.ts';

const DOMAIN = 'shop.gatekeeper.dev';
const BODY = `email=jane%40${DOMAIN}`;

/** The ten most frequent tasks of an operator, in the order in which a suite does them. */
export const TASKS = [
  'find a decision by its id',
  'read a decision',
  'label a decision',
  'deny the domain of a decision',
  'let a held signup in',
  'open a campaign',
  'deny the pattern of a campaign',
  'create a key',
  'change a list entry',
  'sign out',
] as const;
export type Task = (typeof TASKS)[number];

export interface TaskSite {
  readonly app: App;
  readonly server: ReviewServer;
  readonly operator: Visitor;
  readonly page: Page;
  /** The request id of the signup that waits. */
  readonly held: string;
}

/** How a user does each task. */
export type Hands = Readonly<Record<Task, (site: TaskSite) => Promise<void>>>;

/** Does the ten tasks one after the other, and checks after each what it changed. */
export async function doTasks(
  t: ExecutionContext,
  hands: Hands,
  browser: { readonly javaScriptEnabled: boolean; readonly width: number },
): Promise<void> {
  const site = await openSite(t, browser);
  for (const task of TASKS) {
    t.log(task);
    await hands[task](site);
    await CHECKS[task](t, site);
  }
}

async function openSite(
  t: ExecutionContext,
  { javaScriptEnabled, width }: { readonly javaScriptEnabled: boolean; readonly width: number },
): Promise<TaskSite> {
  const app = await startApp(t);
  const server = await startReview(t, app.url);
  const operator = await server.signIn('operator');
  const held = await server.signUp('/held', BODY);
  for (let n = 0; n < 6; n++)
    await server.signUp('/refused', `email=promo.user${1_000 + n}%40gatekeeper.dev`);
  const context = await (await openBrowser(t)).newContext({
    ...{ javaScriptEnabled, viewport: { width, height: 800 } },
  });
  const [name = '', value = ''] = operator.cookie.split('=');
  await context.addCookies([{ name, value, url: server.url }]);
  const page = await context.newPage();
  await page.goto(`${server.url}/overview`);
  return { app, server, operator, page, held };
}

const entriesOf = ({ records }: ReviewServer) =>
  records.listEntries.page({ after: null, limit: 10, filter: {} });

const CHECKS: Readonly<Record<Task, (t: ExecutionContext, site: TaskSite) => Promise<void>>> = {
  async 'find a decision by its id'(t, { page, held }) {
    t.true(page.url().endsWith(`/decisions/${held}`));
  },
  async 'read a decision'(t, { page }) {
    t.regex((await page.getByRole('heading', { level: 1 }).textContent()) ?? '', /^Sent to verification/);
    t.true(await page.getByRole('heading', { name: 'Attempts with the same values' }).isVisible());
  },
  async 'label a decision'(t, { server, held }) {
    t.is((await server.records.decisionSearch.find(held, null))?.label, 'fraud');
  },
  async 'deny the domain of a decision'(t, { server }) {
    t.like(await entriesOf(server), {
      0: { list: 'deny', kind: 'domain', value: 'gatekeeper.dev' },
      length: 1,
    });
  },
  async 'let a held signup in'(t, { app }) {
    t.deepEqual(
      app.arrived.map((arrived) => arrived.body.toString()),
      [BODY],
    );
  },
  async 'open a campaign'(t, { page }) {
    t.is(await page.getByRole('heading', { level: 1 }).textContent(), 'Mailboxes of one pattern');
    t.true(await page.getByText('6 mailboxes in').isVisible());
  },
  async 'deny the pattern of a campaign'(t, { server }) {
    t.like(await entriesOf(server), { 0: { list: 'deny', kind: 'pattern' }, length: 2 });
  },
  async 'create a key'(t, { server }) {
    t.deepEqual(
      (await server.records.apiKeys.list()).map((key) => key.name),
      ['shop backend'],
    );
  },
  async 'change a list entry'(t, { server }) {
    const [changed, ...others] = await entriesOf(server);
    t.like(changed, { list: 'deny', kind: 'domain', value: 'gatekeeper.dev' });
    t.true((changed?.expiresAt ?? 0) > Date.now());
    t.is(others.length, 1);
  },
  async 'sign out'(t, { operator }) {
    t.not((await operator.get('/overview')).status, 200);
  },
};
