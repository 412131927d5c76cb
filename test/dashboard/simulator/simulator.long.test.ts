import test from 'ava';
import { createRequestId } from '../../../src/http/request-id.ts';
import { CHROMIUM, openBrowser, waitUntilTrue } from '../../helpers/browser.ts';
import { examination, examinations } from '../../helpers/examinations.ts';
import { lookAt } from '../../helpers/looks.ts';
import { decisionWith } from '../../storage/decisions/decision-fixture.ts';
import { type DashboardServer, startDashboard } from '../dashboard-server.ts';

const testWithBrowser = CHROMIUM === null ? test.skip : test;
const HOSTILE = '<img src=x onerror=alert(1)>';

async function storeDecisions({ records }: DashboardServer): Promise<void> {
  const now = Date.now();
  let requestId = '';
  for (const [i, findings] of [[], ['vpn_ip'], ['vpn_ip', 'tor_ip']].entries()) {
    const processedAt = now - i * 60_000;
    requestId = createRequestId(processedAt);
    const ipAddress = examination('residential_ip', ...(findings as ('vpn_ip' | 'tor_ip')[]));
    await records.decisions.record(
      decisionWith({
        ...{ requestId, processedAt },
        examinations: examinations({ ip_address: ipAddress }),
        identity: { ...decisionWith().identity, domain: HOSTILE, network: HOSTILE },
      }),
    );
  }
  await records.decisionSearch.label(requestId, null, 'legitimate');
}

testWithBrowser('the simulator is used in a browser, and axe finds nothing', async (t) => {
  const server = await startDashboard(t);
  await storeDecisions(server);
  const operator = await server.signIn('operator');
  const browser = await openBrowser(t);
  const context = await browser.newContext({ bypassCSP: true });
  const [name = '', value = ''] = operator.cookie.split('=');
  await context.addCookies([{ name, value, url: server.url }]);
  const page = await context.newPage();
  page.on('dialog', (dialog) => t.fail(`a dialog: ${dialog.message()}`));

  await page.goto(`${server.url}/simulator`);
  await lookAt(t, page, 'simulator the form');
  const low = page.getByLabel('Low risk', { exact: true });
  const slider = page.getByRole('slider', { name: 'Low risk' });
  await low.fill('95');
  await page.getByLabel('Points').fill('vpn_ip: 85');
  const live = page.getByRole('status', { name: 'Effect on past signups' });
  const legitimate = live.locator('[data-figure="legitimate-affected"]');
  await legitimate.waitFor();
  await waitUntilTrue(page, "!document.querySelector('[data-effect]').hasAttribute('aria-busy')");
  await lookAt(t, page, 'simulator the live effect');

  // Arrow keys move the slider; the effect follows without the server.
  await page.route('**/simulator/effect', (route) => {
    t.fail('thresholds need no answer of the server');
    return route.abort();
  });
  t.is(await slider.inputValue(), '95', 'the slider follows the field');
  await slider.focus();
  for (let i = 0; i < 30; i++) await page.keyboard.press('ArrowLeft');
  t.is(await low.inputValue(), '65');
  const dragged = await live.locator('.verdict').innerText();
  const levels = await Promise.all(
    ['low', 'medium', 'high'].map((level) => live.locator(`[data-figure="all-${level}"]`).innerText()),
  );
  await page.unroute('**/simulator/effect');
  await page.getByRole('button', { name: 'Simulate' }).click();
  await page.getByRole('heading', { name: 'Verdict' }).waitFor();
  t.is(await page.locator('main section .verdict').innerText(), dragged, 'the verdict of the judge');
  const all = page.locator('tr', { hasText: 'Total with this policy' }).locator('td');
  t.deepEqual((await all.allInnerTexts()).slice(0, 3), levels);
  t.regex(dragged, /would hurt 0 → \d of 1 legitimate person/i);
  await page.getByLabel('Low risk', { exact: true }).fill('95');
  await page.getByRole('button', { name: 'Simulate' }).click();
  await page.getByRole('heading', { name: 'Verdict' }).waitFor();
  await lookAt(t, page, 'simulator the results');
  t.regex(await page.locator('pre').innerText(), /levels:\n\s+low: 95\n\s+points:\n\s+vpn_ip: 85/);
  t.true((await page.locator('main').innerText()).includes(HOSTILE));

  await page.getByLabel('Deny', { exact: true }).fill('XK');
  await page.getByRole('button', { name: 'Simulate' }).click();
  await page.getByRole('alert').waitFor();
  await lookAt(t, page, 'simulator the mistakes');
  t.is(await page.getByLabel('Points').inputValue(), 'vpn_ip: 85', 'what was typed stays');
});
