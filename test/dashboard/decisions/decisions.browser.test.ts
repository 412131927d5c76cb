import test from 'ava';
import { referenceOf } from '../../../src/http/reference.ts';
import { CHROMIUM } from '../../helpers/browser.ts';
import { startDashboard } from '../dashboard-server.ts';
import { openPage } from './open-page.ts';
import { storeDecisions, withIdentity } from './stored-decisions.ts';

const testWithBrowser = CHROMIUM === null ? test.skip : test;

testWithBrowser('a new decision appears by itself, and not while the list is paused', async (t) => {
  const server = await startDashboard(t);
  const operator = await server.signIn('operator');
  const page = await openPage(t, server, operator, { scheme: 'light', width: 1_280 });
  await page.clock.install();
  await page.goto(`${server.url}/decisions`);
  await page.getByText('No signups yet').waitFor();
  await storeDecisions(server, [{ route: 'first' }]);
  await page.clock.runFor(5_000);
  await page.getByRole('link', { name: 'first' }).waitFor();
  await storeDecisions(server, [{ route: 'second' }]);
  await page.clock.runFor(5_000);
  await page.getByRole('link', { name: 'second' }).waitFor();
  // The new row shows times in the viewer's zone, like the rows before it.
  t.notRegex((await page.locator('tbody time').first().textContent()) ?? '', /UTC/);
  await page.getByRole('button', { name: 'Pause' }).click();
  await storeDecisions(server, [{ route: 'third' }]);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.clock.runFor(60_000);
  t.deepEqual(asked, []);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('link', { name: 'third' }).waitFor();
  t.is(asked.length, 1);
});

testWithBrowser('a browser whose clock is wrong by hours shows how long ago a decision was', async (t) => {
  const server = await startDashboard(t);
  const operator = await server.signIn('operator');
  await storeDecisions(server, [{ processedAt: Date.now() - 300_000 }]);
  const page = await openPage(t, server, operator, { scheme: 'light', width: 1_280 });
  await page.clock.install({ time: Date.now() + 3 * 3_600_000 });
  await page.goto(`${server.url}/decisions`);
  t.is(await page.locator('tbody time').first().textContent(), '5 minutes ago');
  await page.clock.runFor(600_000);
  t.is(await page.locator('tbody time').first().textContent(), '15 minutes ago');
});

testWithBrowser(
  'a decision is found by the search box, read, labelled, and its domain denied and allowed again',
  async (t) => {
    const server = await startDashboard(t);
    const operator = await server.signIn('operator');
    const [decision] = await storeDecisions(server, [withIdentity({ domain: 'burner.example' }), {}]);
    const page = await openPage(t, server, operator, { scheme: 'light', width: 1_280 });
    await page.goto(`${server.url}/keys`);
    await page.keyboard.press('/');
    await page.keyboard.type('burner.example');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/decisions/${decision?.requestId}`);
    await page.getByRole('button', { name: 'Label as fraud' }).click();
    await page.getByText('Label: fraud.').first().waitFor();
    await page.getByRole('button', { name: 'Deny burner.example' }).click();
    await page.getByText('The entry was added.').waitFor();
    const [entry] = await server.records.listEntries.page({ after: null, limit: 1, filter: {} });
    t.like(entry, { list: 'deny', kind: 'domain', value: 'burner.example' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('The entry was removed.').waitFor();
    t.is(await server.records.listEntries.count(), 0);
  },
);

testWithBrowser(
  'a filter applies at once, is in the address and in a chip, and a chip removes it',
  async (t) => {
    const server = await startDashboard(t);
    const operator = await server.signIn('operator');
    await storeDecisions(server, [{ riskLevel: 'high' }, {}, {}]);
    const page = await openPage(t, server, operator, { scheme: 'light', width: 360 });
    await page.goto(`${server.url}/decisions`);
    t.is(await page.locator('tbody tr').count(), 3);
    await page.getByLabel('Level').selectOption('high');
    await page.waitForURL('**/decisions?level=high');
    t.is(await page.locator('tbody tr').count(), 1);
    await page.getByRole('link', { name: 'Remove level high' }).click();
    await page.waitForURL('**/decisions');
    t.is(await page.locator('tbody tr').count(), 3);
  },
);

testWithBrowser('the keyboard moves through the rows, opens one, and lists its shortcuts', async (t) => {
  const server = await startDashboard(t);
  const operator = await server.signIn('operator');
  const made = await storeDecisions(server, [{}, {}, {}]);
  const page = await openPage(t, server, operator, { scheme: 'light', width: 1_280 });
  await page.goto(`${server.url}/decisions`);
  for (const key of ['j', 'j', 'j', 'j', 'k']) await page.keyboard.press(key);
  await page.keyboard.press('Enter');
  // Newest first: the second row is the second decision.
  await page.waitForURL(`**/decisions/${made[1]?.requestId}`);
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await help.waitFor();
  await help.getByLabel('Use shortcuts in this browser').uncheck();
  await page.keyboard.press('Escape');
  await page.reload();
  await page.keyboard.press('?');
  t.is(await help.count(), 0);
});

testWithBrowser('keys that are typed into a field are text', async (t) => {
  const server = await startDashboard(t);
  const operator = await server.signIn('operator');
  await storeDecisions(server, [{}]);
  const page = await openPage(t, server, operator, { scheme: 'light', width: 1_280 });
  await page.goto(`${server.url}/decisions`);
  const box = page.getByRole('searchbox', { name: 'Search' });
  await box.focus();
  await page.keyboard.type('j/k?');
  t.is(await box.inputValue(), 'j/k?');
  t.is(await page.getByRole('dialog').count(), 0);
});

testWithBrowser('a click anywhere in a row opens it, and the links in it keep their own pages', async (t) => {
  const server = await startDashboard(t);
  const operator = await server.signIn('operator');
  const [decision] = await storeDecisions(server, [withIdentity({ domain: 'shop.example' })]);
  for (const width of [360, 1_280]) {
    const page = await openPage(t, server, operator, { scheme: 'dark', width });
    await page.goto(`${server.url}/decisions`);
    await page.getByRole('link', { name: 'shop.example' }).click();
    await page.waitForURL('**/decisions?domain=shop.example');
    const row = page.locator('tbody tr');
    // The upper corner: the height changes while the page is laid out.
    await row.click({ position: { x: 3, y: 3 } });
    await page.waitForURL(`**/decisions/${decision?.requestId}`);
    t.is(await page.locator('#request-id').textContent(), decision?.requestId ?? null);
  }
});

testWithBrowser('a wanted action that differs pushes no column out of sight', async (t) => {
  const server = await startDashboard(t);
  const operator = await server.signIn('operator');
  await storeDecisions(server, [
    {
      ...{ door: 'gate', route: 'registration', mode: 'enforce', riskLevel: 'medium' },
      ...{ action: 'block', wantedAction: 'verify' },
      ...withIdentity({ domain: 'shop.example', network: '203.0.113.0/24' }),
    },
  ]);
  const page = await openPage(t, server, operator, { scheme: 'light', width: 1_280 });
  await page.goto(`${server.url}/decisions`);
  await page.getByText('(wanted: verification)').waitFor();
  const hidden =
    '(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector(".table"))';
  t.is(await page.evaluate(hidden), 0);
});

testWithBrowser(
  'without scripts the search, a filter, a label and the reply to the customer work',
  async (t) => {
    const server = await startDashboard(t);
    const operator = await server.signIn('operator');
    const [decision] = await storeDecisions(server, [{ riskLevel: 'high' }, {}]);
    const page = await openPage(t, server, operator, { scheme: 'light', width: 360, scripts: false });
    await page.goto(`${server.url}/decisions`);
    await page.getByLabel('Level').selectOption('high');
    await page.getByRole('button', { name: 'Show' }).click();
    t.is(await page.locator('tbody tr').count(), 1);
    await page.getByRole('searchbox').fill(decision?.requestId ?? '');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/decisions/${decision?.requestId}`);
    await page.getByRole('button', { name: 'Label as fraud' }).click();
    await page.getByText('Label: fraud.').first().waitFor();
    t.regex(
      (await page.locator('#customer-text').textContent()) ?? '',
      new RegExp(referenceOf(decision?.requestId ?? '') ?? 'no reference'),
    );
    await page.locator('summary', { hasText: 'operator@example.com' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**/sign-in');
  },
);
