import test, { type ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { startDashboard } from '../dashboard/dashboard-server.ts';
import { CHROMIUM, openBrowser, PATIENCE_MS, type TestBrowser } from '../helpers/browser.ts';
import { startDemo } from '../helpers/demo-process.ts';
import { faultsOf } from '../helpers/looks.ts';
import { OF_MEMBERS, OF_OPERATORS, OF_STRANGERS, OF_SUPPORT, WITHOUT_DATA } from './page-paths.ts';

/** One after the other: both keep the browser busy. */
const testWithBrowser = CHROMIUM === null ? test.skip : test.serial;
const PASSWORD = 'a long and quiet river';

/** Opens the first link of the page that begins like this. */
async function follow(page: Page, path: string, link: string): Promise<void> {
  await page.goto(path);
  const href = await page.locator(`main a[href^="${link}"]:not([href*=export])`).first().getAttribute('href');
  await page.goto(href ?? '/');
}

async function upload(page: Page, text: string): Promise<void> {
  await page.goto('/simulator');
  const file = { name: 'signups.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
  await page.setInputFiles('input[type=file]', file);
  await page.getByRole('button', { name: 'Upload' }).click();
}

/** Pages that an operator opens from another page. */
const LED_TO: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  verification: (page) => follow(page, '/decisions?wanted_action=verify', '/decisions/'),
  refused: (page) => follow(page, '/decisions?wanted_action=block', '/decisions/'),
  'let in': (page) => follow(page, '/decisions?wanted_action=forward', '/decisions/'),
  campaign: (page) => follow(page, '/campaigns?within=day', '/campaigns/one'),
  async 'denied pattern'(page) {
    await follow(page, '/campaigns?by=template&within=day', '/campaigns/one');
    await page.getByRole('button', { name: /^Deny (?:this|the) pattern/ }).click();
    await page.waitForURL(/\/campaigns\/deny-pattern$/);
  },
  account: (page) => follow(page, '/accounts', '/accounts/'),
  async 'new key'(page) {
    await page.goto('/keys');
    await page.getByLabel('Name').fill('shop backend');
    await page.getByRole('button', { name: 'Create the key' }).click();
    await page.waitForSelector('#new-key');
  },
  async 'list with an error'(page) {
    await page.goto('/lists');
    await page.getByLabel('Entries, one per line').fill('bad.example\nnot an entry');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.locator('.error').first().waitFor();
  },
  async 'list with entries'(page) {
    await page.goto('/lists');
    await page.getByLabel('Entries, one per line').fill('bad.example\n203.0.113.0/24\npattern:promo.user#');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.locator('.notice.done').waitFor();
  },
  async 'labelled fraud'(page) {
    await follow(page, '/decisions?wanted_action=block', '/decisions/');
    await page.getByRole('button', { name: 'Label as fraud' }).click();
    await page.waitForURL(/done=labelled/);
  },
  async 'labelled legitimate'(page) {
    await follow(page, '/decisions?wanted_action=forward', '/decisions/');
    await page.getByRole('button', { name: 'Label as legitimate' }).click();
    await page.waitForURL(/done=labelled/);
  },
  async simulation(page) {
    await page.goto('/simulator?preset=strict');
    await page.getByRole('button', { name: 'Simulate', exact: true }).click();
    await page.locator('#results').waitFor();
  },
  async 'simulator with an error'(page) {
    await page.goto('/simulator');
    await page.getByLabel('Points').fill('not_a_reason: 5');
    await page.getByRole('button', { name: 'Simulate', exact: true }).click();
    await page.locator('.error').first().waitFor();
  },
  async columns(page) {
    await upload(
      page,
      'when_was,who,from,browser\n2026-11-01T10:00:00Z,jane@gmail.com,2.125.160.216,curl/8.5\n',
    );
    await page.getByText('Columns of the file').waitFor();
  },
  async 'file results'(page) {
    await upload(
      page,
      'created_at,mail,ip\n2026-11-01T10:00:00Z,jane@gmail.com,2.125.160.216\n2026-11-01T10:01:00Z,x@mailinator.com,185.220.101.33\n',
    );
    await page.getByText('Columns of the file').waitFor();
    await page.getByRole('button', { name: 'Simulate this file' }).click();
    await page.locator('#results').waitFor();
  },
  async 'refused file'(page) {
    await upload(page, '');
    await page.locator('.error').first().waitFor();
  },
  async 'keyboard help'(page) {
    await page.goto('/overview');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  },
};

/** Pages of a visitor of the shop. */
const OF_VISITORS: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  block: (page) => signUp(page, 'ada@mailinator.com'),
  'typing error': (page) => signUp(page, 'jane.doe@gmial.com'),
  async 'wrong code'(page) {
    await page.getByLabel('Code').fill('000000');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('alert').waitFor();
  },
  mailbox: async (page) => void (await page.goto('/mailbox')),
  async 'link of the mail'(page) {
    await page.getByRole('link', { name: 'Open the link' }).first().click();
    await page.getByRole('button', { name: 'Confirm' }).waitFor();
  },
  async 'this was not me'(page) {
    await page.locator('button[value=report]').click();
    await page.locator('button[value=report]').waitFor({ state: 'detached' });
  },
};

/** Posts the form of the shop as a browser without scripts. */
async function signUp(page: Page, email: string): Promise<void> {
  await page.goto('/');
  await page.locator('[name=name]').fill('Jane Doe');
  await page.locator('[name=email]').fill(email);
  await Promise.all([
    page.waitForURL((url) => url.pathname !== '/'),
    page.evaluate("document.querySelector('form[data-signup]').submit()"),
  ]);
}

async function newPage(browser: TestBrowser, baseURL: string, cookie = ''): Promise<Page> {
  // The policy of content is off for axe alone.
  const context = await browser.newContext({ baseURL, bypassCSP: true });
  const [name = '', value = ''] = cookie.split('=');
  if (cookie) await context.addCookies([{ name, value, url: baseURL }]);
  const page = await context.newPage();
  page.on('dialog', (dialog) => void dialog.accept());
  return page;
}

/** The path of a link that makes an account. */
async function invite(page: Page, email: string, role: string): Promise<string> {
  await page.goto('/accounts');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Role').first().selectOption(role);
  await page.getByRole('button', { name: 'Create the link' }).click();
  return new URL((await page.locator('#link').textContent()) ?? '').pathname;
}

async function accept(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Set up my account' }).click();
  await page.locator('header nav').waitFor();
}

async function openDemo(t: ExecutionContext) {
  const demo = await startDemo(t);
  const link = await demo.link;
  const browser = await openBrowser(t);
  const open = () => newPage(browser, new URL(link).origin);
  const operator = await open();
  await operator.goto(link);
  for (const sender of ['campaign', 'campaign', 'typo', 'burners']) {
    await operator.locator(`[data-sender="${sender}"]`).click();
    await operator.locator(`[data-sender="${sender}"]:enabled`).waitFor();
  }
  return { open, operator };
}

testWithBrowser('with a week of signups, axe finds nothing on any page, and none is too wide', async (t) => {
  t.timeout(5 * PATIENCE_MS);
  const { open, operator } = await openDemo(t);
  const faults: string[] = [];
  const look = async (page: Page, name: string) => faults.push(...(await faultsOf(page, name)));
  const visit = async (page: Page, who: string, paths: readonly string[]) => {
    for (const path of paths) {
      await page.goto(path);
      await look(page, `${who} ${path}`);
    }
  };

  for (const role of ['support', 'member'] as const) {
    const link = await invite(operator, `${role}@example.com`, role);
    if (role === 'support') await look(operator, 'operator new link');
    const page = await open();
    await page.goto(link);
    if (role === 'support') await look(page, 'stranger invitation');
    await accept(page, link);
    await visit(page, role, role === 'support' ? OF_SUPPORT : OF_MEMBERS);
    if (role === 'support') {
      await follow(page, '/decisions?wanted_action=verify', '/decisions/');
      await look(page, 'support decision');
    }
  }
  await invite(operator, 'someone.new@example.com', 'member');
  await visit(operator, 'operator', OF_OPERATORS);
  for (const [name, lead] of Object.entries(LED_TO)) {
    await lead(operator);
    await look(operator, `operator ${name}`);
  }
  const visitor = await open();
  await visit(visitor, 'stranger', OF_STRANGERS);
  for (const [name, lead] of Object.entries(OF_VISITORS)) {
    await lead(visitor);
    await look(visitor, `visitor ${name}`);
  }
  t.deepEqual(faults, []);
});

testWithBrowser('without data, axe finds nothing on any page, and none is too wide', async (t) => {
  t.timeout(2 * PATIENCE_MS);
  const server = await startDashboard(t);
  const operator = await server.signIn('operator');
  const page = await newPage(await openBrowser(t), server.url, operator.cookie);
  const faults: string[] = [];
  for (const path of WITHOUT_DATA) {
    await page.goto(path);
    faults.push(...(await faultsOf(page, `without data ${path}`)));
  }
  t.deepEqual(faults, []);
});
