import test, { type ExecutionContext } from 'ava';
import type { BrowserContext, Page } from 'playwright-core';
import { startBusyDashboard } from '../dashboard/busy-dashboard.ts';
import { violationsOn } from '../helpers/axe.ts';
import { CHROMIUM, openBrowser } from '../helpers/browser.ts';

/** Set this to an existing folder to save screenshots. */
const SCREENSHOTS = process.env.SCREENSHOTS ?? null;
const testWithBrowser = CHROMIUM === null ? test.skip : test;
/** The machine may be busy. */
const PATIENCE_MS = 240_000;

const OF_STRANGERS = ['/sign-in', '/register', '/forgotten', '/links/nothing', '/nowhere'];
const OF_SUPPORT = ['/decisions', '/review', '/account', '/search?q=nothing'];
const OF_MEMBERS = ['/overview', '/decisions', '/keys', '/usage', '/account', '/search?q=nothing'];
const OF_OPERATORS = [
  ...OF_MEMBERS,
  '/overview?range=30d',
  '/decisions?level=high&within=1d',
  '/decisions?domain=nothing.example',
  '/search?q=example',
  '/review',
  '/campaigns',
  '/campaigns?by=cohort&within=week',
  '/lists',
  '/routes',
  '/simulator',
  '/accounts',
  '/account/two-factor',
  '/audit',
];

/** Pages that a link or a form of another page leads to. */
const LED_TO: Readonly<Record<string, (page: Page, url: string) => Promise<void>>> = {
  async campaign(page, url) {
    await page.goto(`${url}/campaigns?within=day`);
    await page.locator('main a[href^="/campaigns/one"]').first().click();
    await page.waitForURL(/\/campaigns\/one\?/);
  },
  async 'denied pattern'(page) {
    await page.getByRole('button', { name: /^Deny (?:this|the) pattern/ }).click();
    await page.waitForURL(/\/campaigns\/deny-pattern$/);
  },
  async account(page, url) {
    await page.goto(`${url}/accounts`);
    await page.locator('main a[href^="/accounts/"]').first().click();
    await page.waitForURL(/\/accounts\/[\w-]+$/);
  },
  async 'new key'(page, url) {
    await page.goto(`${url}/keys`);
    await page.getByLabel('Name').fill('shop backend');
    await page.getByRole('button', { name: 'Create the key' }).click();
    await page.waitForSelector('#new-key');
  },
  async 'invited user'(page, url) {
    await page.goto(`${url}/accounts`);
    await page.getByLabel('Email').fill(`user${Date.now()}@example.com`);
    await page.getByRole('button', { name: 'Create the link' }).click();
    await page.locator('#link').waitFor();
  },
  async simulation(page, url) {
    await page.goto(`${url}/simulator`);
    await page.getByRole('button', { name: 'Simulate', exact: true }).click();
    await page.locator('#results').waitFor();
  },
};

interface Looked {
  readonly page: Page;
  /** In a message and in the name of a screenshot. */
  readonly place: string;
}

/** What is wrong with the page, one line each. */
async function faultsOf({ page, place }: Looked): Promise<readonly string[]> {
  const faults = (await violationsOn(page)).map((violation) => `${place}: ${violation}`);
  if (await page.evaluate('document.documentElement.scrollWidth > innerWidth'))
    faults.push(`${place}: wider than its window`);
  if (SCREENSHOTS) {
    await page.screenshot({ path: `${SCREENSHOTS}/${place.replace(/\W+/g, '-')}.png`, fullPage: true });
  }
  return faults;
}

async function pageOf(context: BrowserContext, url: string, cookie: string): Promise<Page> {
  const [name = '', value = ''] = cookie.split('=');
  if (cookie) await context.addCookies([{ name, value, url }]);
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  return page;
}

async function openDashboard(t: ExecutionContext) {
  const server = await startBusyDashboard(t, {
    config: (config) => ({ ...config, dashboard: { ...config.dashboard, registration: 'open' } }),
  });
  const { operator, member, score } = server;
  const requestId = await score({ email: 'x1@mailinator.com', ip_address: '138.68.20.3' });
  await operator.post('/lists', { entries: 'bad.example', list: 'deny', ends: '7', note: 'wave' });
  const support = await server.signIn('support');
  return {
    url: server.url,
    visitors: {
      operator: { cookie: operator.cookie, paths: [...OF_OPERATORS, `/decisions/${requestId}`] },
      stranger: { cookie: '', paths: OF_STRANGERS },
      support: { cookie: support.cookie, paths: [...OF_SUPPORT, `/decisions/${requestId}`] },
      member: { cookie: member.cookie, paths: OF_MEMBERS },
    },
  };
}

for (const theme of ['light', 'dark'] as const) {
  for (const width of [360, 1_280]) {
    testWithBrowser(
      `axe finds nothing on any page, ${theme}, and none is wider than ${width} px`,
      async (t) => {
        t.timeout(PATIENCE_MS * 2);
        const { url, visitors } = await openDashboard(t);
        const browser = await openBrowser(t);
        const found: string[] = [];
        for (const [who, { cookie, paths }] of Object.entries(visitors)) {
          const context = await browser.newContext({
            ...{ bypassCSP: true, colorScheme: theme, viewport: { width, height: 800 } },
          });
          const page = await pageOf(context, url, cookie);
          const look = async (what: string) =>
            found.push(...(await faultsOf({ page, place: `${who} ${what} ${theme} ${width}` })));
          for (const path of paths) {
            await page.goto(url + path);
            await look(path);
          }
          if (who === 'operator') {
            for (const [what, lead] of Object.entries(LED_TO)) {
              await lead(page, url);
              await look(what);
            }
          }
          await context.close();
        }
        t.deepEqual(found, []);
      },
    );
  }
}
