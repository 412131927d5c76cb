import test from 'ava';
import { createRequestId } from '../../../src/http/request-id.ts';
import { violationsOn } from '../../helpers/axe.ts';
import { CHROMIUM, openBrowser } from '../../helpers/browser.ts';
import { examination, examinations } from '../../helpers/examinations.ts';
import { decisionWith } from '../../storage/decisions/decision-fixture.ts';
import { type DashboardServer, startDashboard } from '../dashboard-server.ts';

const testWithBrowser = CHROMIUM === null ? test.skip : test;
const HOSTILE = '<img src=x onerror=alert(1)>';

async function storeDecisions({ records }: DashboardServer): Promise<void> {
  const now = Date.now();
  for (const [i, findings] of [[], ['vpn_ip'], ['vpn_ip', 'tor_ip']].entries()) {
    const processedAt = now - i * 60_000;
    const ipAddress = examination('residential_ip', ...(findings as ('vpn_ip' | 'tor_ip')[]));
    await records.decisions.record(
      decisionWith({
        ...{ requestId: createRequestId(processedAt), processedAt },
        examinations: examinations({ ip_address: ipAddress }),
        identity: { ...decisionWith().identity, domain: HOSTILE, network: HOSTILE },
      }),
    );
  }
}

for (const [scheme, width] of [
  ['light', 1_280],
  ['dark', 360],
] as const) {
  testWithBrowser(
    `the simulator is used in a browser, ${scheme} at ${width} px, and axe finds nothing`,
    async (t) => {
      const server = await startDashboard(t);
      await storeDecisions(server);
      const operator = await server.signIn('operator');
      const browser = await openBrowser(t);
      const context = await browser.newContext({
        ...{ bypassCSP: true, colorScheme: scheme, viewport: { width, height: 900 } },
      });
      const [name = '', value = ''] = operator.cookie.split('=');
      await context.addCookies([{ name, value, url: server.url }]);
      const page = await context.newPage();
      // A loaded machine is slow, not wrong.
      page.setDefaultTimeout(90_000);
      page.on('dialog', (dialog) => t.fail(`a dialog: ${dialog.message()}`));
      const check = async (what: string) => {
        t.deepEqual(await violationsOn(page), [], what);
        t.is(
          await page.evaluate('document.documentElement.scrollWidth > innerWidth'),
          false,
          `${what} is too wide`,
        );
      };

      await page.goto(`${server.url}/simulator`);
      await check('the form');
      await page.getByLabel('Low risk').fill('95');
      await page.getByLabel('Points').fill('vpn_ip: 85');
      await page.getByRole('button', { name: 'Simulate' }).click();
      await page.getByRole('heading', { name: 'Results' }).waitFor();
      await check('the results');
      t.regex(await page.locator('pre').innerText(), /levels:\n\s+low: 95\n\s+points:\n\s+vpn_ip: 85/);
      t.true((await page.locator('main').innerText()).includes(HOSTILE));

      await page.getByLabel('Deny', { exact: true }).fill('XK');
      await page.getByRole('button', { name: 'Simulate' }).click();
      await page.getByRole('alert').waitFor();
      await check('the mistakes');
      t.is(await page.getByLabel('Points').inputValue(), 'vpn_ip: 85', 'what was typed stays');
    },
  );
}
