import test from 'ava';
import type { Page } from 'playwright-core';
import { CHROMIUM, PATIENCE_MS } from '../helpers/browser.ts';
import { doTasks, type Hands } from './ten-tasks.ts';

const testWithBrowser = CHROMIUM === null ? test.skip : test;

/** The link of the navigation. */
async function visit(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true }).click();
}

async function press(page: Page, name: string | RegExp, next: RegExp): Promise<void> {
  await page.getByRole('main').getByRole('button', { name }).first().click();
  await page.waitForURL(next);
}

const HANDS: Hands = {
  async 'find a decision by its id'({ page, held }) {
    await page.getByRole('searchbox', { name: 'Search' }).fill(held);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/decisions/${held}`);
  },
  async 'read a decision'({ page }) {
    await page.getByRole('heading', { name: 'Attempts with the same values' }).scrollIntoViewIfNeeded();
  },
  'label a decision': ({ page }) => press(page, 'Label as fraud', /done=labelled/),
  'deny the domain of a decision': ({ page }) => press(page, 'Deny gatekeeper.dev', /done=listed/),
  async 'let a held signup in'({ page }) {
    await visit(page, 'Review');
    await press(page, /^Let in/, /done=let-in/);
  },
  async 'open a campaign'({ page }) {
    await visit(page, 'Campaigns');
    await page.getByRole('row').getByRole('link', { name: 'Mailboxes of one pattern' }).first().click();
    await page.waitForURL(/\/campaigns\/one\?/);
  },
  'deny the pattern of a campaign': ({ page }) =>
    press(page, /^Deny (?:this|the) pattern/, /\/campaigns\/deny-pattern$/),
  async 'create a key'({ page }) {
    await visit(page, 'Keys');
    await page.getByLabel('Name').fill('shop backend');
    await page.getByRole('button', { name: 'Create the key' }).click();
    await page.waitForSelector('#new-key');
  },
  async 'change a list entry'({ page }) {
    await visit(page, 'Lists');
    await page.getByLabel('Entries, one per line').fill('gatekeeper.dev');
    await page.getByLabel('Expiry').selectOption({ label: 'in 7 days' });
    await press(page, 'Add', /done=added/);
  },
  async 'sign out'({ page }) {
    await page.getByText('operator@example.com').first().click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(/\/sign-in/);
  },
};

testWithBrowser('an operator does the ten most frequent tasks on a phone without scripts', async (t) => {
  t.timeout(PATIENCE_MS * 2);
  await doTasks(t, HANDS, { javaScriptEnabled: false, width: 360 });
});
