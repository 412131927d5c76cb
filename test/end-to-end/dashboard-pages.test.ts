import test from 'ava';
import type { Page } from 'playwright-core';
import { startBusyDashboard } from '../dashboard/busy-dashboard.ts';
import { violationsOn } from '../helpers/axe.ts';
import { CHROMIUM, openBrowser } from '../helpers/browser.ts';

/** Set this to an existing folder to save screenshots. */
const SCREENSHOTS = process.env.SCREENSHOTS ?? null;
const testWithBrowser = CHROMIUM === null ? test.skip : test;

const OF_STRANGERS = ['/sign-in', '/register', '/forgotten', '/links/nothing', '/nowhere'];
const OF_MEMBERS = ['/overview', '/decisions', '/keys', '/usage', '/account', '/search?q=nothing'];
const OF_OPERATORS = [
  ...OF_MEMBERS,
  '/decisions?level=high&within=1d',
  '/decisions?domain=nothing.example',
  '/search?q=example',
  '/review',
  '/campaigns',
  '/lists',
  '/routes',
  '/simulator',
  '/accounts',
  '/audit',
];

async function isTooWide(page: Page): Promise<boolean> {
  return (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) as boolean;
}

testWithBrowser('axe finds nothing on any page in both themes, and none is wider than a phone', async (t) => {
  const { url, operator, member, score } = await startBusyDashboard(t, {
    config: (config) => ({ ...config, dashboard: { ...config.dashboard, registration: 'open' } }),
  });
  const requestId = await score({ email: 'x1@mailinator.com', ip_address: '138.68.20.3' });
  await operator.get('/lists');
  const visitors = {
    stranger: { cookie: '', paths: OF_STRANGERS },
    member: { cookie: member.cookie, paths: OF_MEMBERS },
    operator: { cookie: operator.cookie, paths: [...OF_OPERATORS, `/decisions/${requestId}`] },
  };
  const browser = await openBrowser(t);
  const found: string[] = [];
  for (const [theme, width] of [
    ['light', 360],
    ['dark', 1_280],
  ] as const) {
    for (const [who, { cookie, paths }] of Object.entries(visitors)) {
      const context = await browser.newContext({
        ...{ bypassCSP: true, colorScheme: theme, viewport: { width, height: 800 } },
        ...(cookie && { extraHTTPHeaders: { cookie } }),
      });
      const page = await context.newPage();
      for (const path of paths) {
        await page.goto(url + path);
        const place = `${path} for a ${who}, ${theme}, ${width}`;
        found.push(...(await violationsOn(page)).map((violation) => `${place}: ${violation}`));
        if (await isTooWide(page)) found.push(`${place}: wider than its window`);
        if (SCREENSHOTS) {
          const name = `${who}${path.replace(requestId, 'one').replace(/\W+/g, '-')}-${theme}-${width}`;
          await page.screenshot({ path: `${SCREENSHOTS}/${name}.png`, fullPage: true });
        }
      }
      await context.close();
    }
  }
  t.deepEqual(found, []);
});
