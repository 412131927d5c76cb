import test from 'ava';
import { createRequestId } from '../../../src/http/request-id.ts';
import { CHROMIUM, openBrowser } from '../../helpers/browser.ts';
import { decisionWith } from '../../storage/decisions/decision-fixture.ts';
import { aggregateAll } from '../../storage/rollups/rollup-fixture.ts';
import { startDashboard } from '../dashboard-server.ts';

const NOW = Date.UTC(2026, 10, 21, 12, 34);
const testWithBrowser = CHROMIUM === null ? test.skip : test;

testWithBrowser('numbers over time are drawn where scripts run, and are a table everywhere', async (t) => {
  const dashboard = await startDashboard(t, { clock: () => NOW });
  const { cookie } = await dashboard.signIn('operator');
  for (const riskLevel of ['low', 'low', 'high'] as const) {
    const requestId = createRequestId(NOW);
    await dashboard.records.decisions.record(decisionWith({ requestId, processedAt: NOW, riskLevel }));
  }
  await aggregateAll(dashboard.records);
  const browser = await openBrowser(t);
  const open = async (javaScriptEnabled: boolean) => {
    const context = await browser.newContext({ javaScriptEnabled, extraHTTPHeaders: { cookie } });
    const page = await context.newPage();
    const mistakes: string[] = [];
    page.on('console', (message) => void (message.type() === 'error' && mistakes.push(message.text())));
    page.on('pageerror', (error) => void mistakes.push(error.message));
    await page.goto(`${dashboard.url}/overview`, { waitUntil: 'networkidle' });
    return { page, mistakes };
  };

  const scripted = await open(true);
  const drawing = scripted.page.locator('.drawing canvas');
  t.is(await drawing.count(), 1);
  t.false(
    await scripted.page.locator('.charted details').evaluate((details) => details.hasAttribute('open')),
  );
  t.is(await scripted.page.locator('table.chart tbody tr').count(), 24);
  const pixels = () =>
    drawing.evaluate((canvas) => (canvas as unknown as { toDataURL(): string }).toDataURL());
  const before = await pixels();
  await scripted.page.locator('header summary').click();
  await scripted.page.locator('[data-act="switch-theme"]').click();
  t.not(await pixels(), before, 'drawn in the colours of the other theme');
  // The last bar has two low and one high: the height of the axis.
  await scripted.page.locator('.u-over').hover({ position: { x: 1, y: 10 } });
  const box = await scripted.page.locator('.u-over').boundingBox();
  await scripted.page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) - 4, (box?.y ?? 0) + 20);
  t.regex((await scripted.page.locator('.u-legend').innerText()).replace(/\s+/g, ' '), /high1medium0low2/);
  t.deepEqual(scripted.mistakes, []);

  const plain = await open(false);
  t.is(await plain.page.locator('.drawing').count(), 0);
  t.true(await plain.page.locator('table.chart tbody tr').last().isVisible());
  t.is(await plain.page.locator('table.chart tbody tr').last().locator('td').first().innerText(), '2');
});
