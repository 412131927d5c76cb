import test, { type ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { CHROMIUM, openBrowser, waitUntilTrue } from '../../helpers/browser.ts';
import { startDashboard } from '../dashboard-server.ts';

const testWithBrowser = CHROMIUM === null ? test.skip : test;

/** As a cookie of the browser: a header of its own would be lost with the first redirect. */
async function openPage(t: ExecutionContext, url: string, cookie: string): Promise<Page> {
  const context = await (await openBrowser(t)).newContext();
  const [name = '', value = ''] = cookie.split('=');
  await context.addCookies([{ name, value, url }]);
  return await context.newPage();
}

testWithBrowser('a file is taken into the form and added; one that is too large is refused', async (t) => {
  const server = await startDashboard(t);
  const operator = await server.signIn('operator');
  const page = await openPage(t, server.url, operator.cookie);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  await page.goto(`${server.url}/lists`);
  const file = page.getByLabel('Or choose a file');
  const content = 'entry,note\nbad.example,"from, a file"\n203.0.113.0/24,\n';
  await file.setInputFiles({ name: 'deny.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });
  const entries = page.getByLabel('Entries, one per line');
  await waitUntilTrue(page, 'document.getElementById("entries").value !== ""');
  t.is(await entries.inputValue(), content);
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByText('The entries were added.').waitFor();
  t.is(await page.getByText('from, a file').count(), 1);
  await file.setInputFiles({ name: 'x.csv', mimeType: 'text/csv', buffer: Buffer.alloc(3_000_001, 'a') });
  await waitUntilTrue(page, '!document.getElementById("entries-file").checkValidity()');
  t.is(await entries.inputValue(), '');
  t.deepEqual(errors, []);
});

testWithBrowser('what reaches far is added once the box is ticked, and removed with one click', async (t) => {
  const server = await startDashboard(t);
  const operator = await server.signIn('operator');
  const page = await openPage(t, server.url, operator.cookie);
  await page.goto(`${server.url}/lists`);
  await page.getByLabel('Entries, one per line').fill('gmail.com');
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByText('Nothing was added yet').waitFor();
  await page.getByLabel('I want to add these entries').check();
  await page.getByRole('button', { name: 'Add anyway' }).click();
  await page.getByText('New entries: 1. Replaced entries: 0').waitFor();
  await page.getByRole('link', { name: 'Back to the lists' }).click();
  await page.getByRole('button', { name: 'Remove gmail.com from the deny list' }).click();
  await page.getByText('The entry was removed').waitFor();
  t.is(await server.records.listEntries.count(), 0);
});
