import test from 'ava';
import { createRequestId } from '../../../src/http/request-id.ts';
import { CHROMIUM, openBrowser } from '../../helpers/browser.ts';
import { decisionWith } from '../../storage/decisions/decision-fixture.ts';
import { aggregateAll } from '../../storage/rollups/rollup-fixture.ts';
import { startDashboard } from '../dashboard-server.ts';

const NOW = Date.UTC(2026, 10, 21, 12, 34);
const HOUR = 3_600_000;
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
  t.regex(
    (await scripted.page.locator('.u-legend').innerText()).replace(/\s+/g, ' '),
    /high1 ?medium0 ?low2/,
  );
  t.deepEqual(scripted.mistakes, []);

  const plain = await open(false);
  t.is(await plain.page.locator('.drawing').count(), 0);
  t.true(await plain.page.locator('table.chart tbody tr').last().isVisible());
  t.is(await plain.page.locator('table.chart tbody tr').last().locator('td').first().innerText(), '2');
});

testWithBrowser(
  'a bar is reached by arrow keys or the mouse, says its numbers and events, and opens its decisions',
  async (t) => {
    const dashboard = await startDashboard(t, { clock: () => NOW });
    const { cookie } = await dashboard.signIn('operator');
    for (const processedAt of [NOW - 2 * HOUR, NOW, NOW]) {
      const requestId = createRequestId(processedAt);
      await dashboard.records.decisions.record(decisionWith({ requestId, processedAt }));
    }
    await aggregateAll(dashboard.records);
    const names = 'tor';
    await dashboard.records.incidents.observe(NOW, [{ kind: 'feeds_old', key: '', facts: { names } }]);
    const browser = await openBrowser(t);
    const page = await browser.newPage({ extraHTTPHeaders: { cookie }, timezoneId: 'UTC' });
    await page.goto(`${dashboard.url}/overview`, { waitUntil: 'networkidle' });
    const slider = page.getByRole('slider', { name: 'Signups by risk level over time' });
    const text = () => slider.getAttribute('aria-valuetext');
    await slider.focus();
    await page.keyboard.press('End');
    t.regex((await text()) ?? '', /12:00:00.*; 2 low, 0 medium, 0 high; Feeds were old$/);
    t.is(await page.locator('.chart-note').first().innerText(), 'Feeds were old');
    await page.keyboard.press('ArrowLeft');
    t.regex((await text()) ?? '', /11:00:00.*; 0 low, 0 medium, 0 high$/);
    await page.keyboard.press('ArrowLeft');
    t.regex((await text()) ?? '', /10:00:00.*; 1 low/);
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowLeft');
    t.is(await slider.getAttribute('aria-valuenow'), '0');
    await page.keyboard.press('End');
    await Promise.all([page.waitForURL(/\/decisions/), page.keyboard.press('Enter')]);
    t.is(new URL(page.url()).search, '?from=2026-11-21T12%3A00&to=2026-11-21T13%3A00');
    t.is(await page.locator('main tbody tr').count(), 2);
    await page.goBack({ waitUntil: 'networkidle' });
    const box = await page.locator('.u-over').first().boundingBox();
    const [x, y] = [(box?.x ?? 0) + (box?.width ?? 0) - 4, (box?.y ?? 0) + 20];
    await page.mouse.move(x, y);
    await Promise.all([page.waitForURL(/from=2026-11-21T12/), page.mouse.click(x, y)]);

    const plain = await (
      await browser.newContext({ javaScriptEnabled: false, extraHTTPHeaders: { cookie } })
    ).newPage();
    await plain.goto(`${dashboard.url}/overview`);
    await plain.locator('table.chart tbody tr').last().locator('a').click();
    t.is(await plain.locator('main tbody tr').count(), 2);
  },
);
