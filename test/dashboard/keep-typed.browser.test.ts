import test, { type ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { CHROMIUM, openBrowser } from '../helpers/browser.ts';
import { type AccountServer, PASSWORD, startAccountServer } from './accounts/account-server.ts';

const testWithBrowser = CHROMIUM === null ? test.skip : test;
const [OWN, OTHER] = ['jane@ops.example', 'joe@ops.example'];

interface Sent {
  readonly server: AccountServer;
  readonly page: Page;
}

/** A page of the lists with a typed form, which was sent after the end of the session. */
async function sendAfterTheEnd(t: ExecutionContext): Promise<Sent> {
  const server = await startAccountServer(t);
  for (const email of [OWN, OTHER]) await server.person(email, 'operator');
  const page = await (await openBrowser(t)).newPage();
  await page.clock.install();
  await page.goto(`${server.url}/lists?text=shop`);
  await signIn(page, OWN);
  await page.getByLabel('Entries, one per line').fill('bad.example\nworse.example');
  await page.getByLabel('Note', { exact: true }).fill('from the forum');
  await page.getByLabel('List', { exact: true }).selectOption('allow');
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByText('Your session has ended').waitFor();
  return { server, page };
}

async function signIn(page: Page, email: string, heading = 'Lists'): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: heading, exact: true }).waitFor();
}

testWithBrowser('a form that was sent after the end of the session is filled again, once', async (t) => {
  const { server, page } = await sendAfterTheEnd(t);
  await signIn(page, OWN);
  t.is(page.url(), `${server.url}/lists?text=shop`);
  const entries = page.getByLabel('Entries, one per line');
  t.is(await entries.inputValue(), 'bad.example\nworse.example');
  t.is(await page.getByLabel('Note', { exact: true }).inputValue(), 'from the forum');
  t.is(await page.getByLabel('List', { exact: true }).inputValue(), 'allow');
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByText('The entries were added.').waitFor();
  await page.goto(`${server.url}/lists?text=shop`);
  t.is(await entries.inputValue(), '');
});

testWithBrowser('a form from before another tab signed in again opens again with its text', async (t) => {
  const server = await startAccountServer(t);
  await server.person(OWN, 'operator');
  const page = await (await openBrowser(t)).newPage();
  await page.goto(`${server.url}/lists?text=shop`);
  await signIn(page, OWN);
  await page.getByLabel('Entries, one per line').fill('bad.example');
  await page.context().clearCookies();
  const other = await page.context().newPage();
  await other.goto(`${server.url}/lists`);
  await signIn(other, OWN);
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByText('nothing was changed').waitFor();
  t.is(await server.records.listEntries.count(), 0);
  await page.getByRole('link', { name: 'Open the form again' }).click();
  await page.waitForURL(`${server.url}/lists?text=shop`);
  t.is(await page.getByLabel('Entries, one per line').inputValue(), 'bad.example');
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByText('The entry was added.').waitFor();
});

testWithBrowser('another user who signs in instead gets an empty form', async (t) => {
  const { page } = await sendAfterTheEnd(t);
  await signIn(page, OTHER);
  t.is(await page.getByLabel('Entries, one per line').inputValue(), '');
  t.is(await page.evaluate('sessionStorage.length'), 0);
});

testWithBrowser('the text leaves the tab after an hour, also when no user signs in', async (t) => {
  const { page } = await sendAfterTheEnd(t);
  await page.clock.fastForward('59:00');
  t.is(await page.evaluate('sessionStorage.length'), 1);
  await page.clock.fastForward('01:30');
  t.is(await page.evaluate('sessionStorage.length'), 0);
});

testWithBrowser('the choice for one row of a table is not made in another row', async (t) => {
  const server = await startAccountServer(t);
  const { browser } = await server.person(OWN, 'operator');
  await browser.get('/keys');
  for (const name of ['first', 'second']) await browser.post('/keys', { name });
  const page = await (await openBrowser(t)).newPage();
  await page.goto(`${server.url}/keys`);
  await signIn(page, OWN, 'New key');
  const overlaps = page.locator('select[name=overlap]');
  const before = await overlaps.evaluateAll((all) => all.map((one) => (one as HTMLSelectElement).value));
  t.is(before.length, 2);
  await overlaps.nth(1).selectOption({ index: 0 });
  t.not(await overlaps.nth(1).inputValue(), before[1]);
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Replace' }).nth(1).click();
  await page.getByText('Your session has ended').waitFor();
  await signIn(page, OWN, 'New key');
  t.deepEqual(
    await overlaps.evaluateAll((all) => all.map((one) => (one as HTMLSelectElement).value)),
    before,
  );
});
