import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import test from 'ava';
import type { Page } from 'playwright-core';
import { CHROMIUM, openBrowser, type TestBrowser } from '../helpers/browser.ts';
import { type RunningGatekeeper, startGatekeeperProcess } from '../helpers/gatekeeper-process.ts';
import { openSmtpMailbox, type SmtpMailbox } from '../helpers/smtp-mailbox.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const run = promisify(execFile);
const testWithBrowser = CHROMIUM === null ? test.skip : test;
const CONFIG = `
api: {listen: "127.0.0.1:0"}
scoring: {dns: {enabled: false}}
dashboard: {listen: "127.0.0.1:0", registration: open}
`;
/** What a person's own browser is called; headless ones are refused at registration. */
const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const PASSWORD = 'a horse, a battery and a staple';

interface Answer {
  readonly risk_level: string;
  readonly request_id: string;
}

/** Pastes a command into a shell, as the page asks for. */
async function paste(command: string): Promise<Answer> {
  const { stdout } = await run('bash', ['-c', command]);
  return JSON.parse(stdout) as Answer;
}

async function openPage(browser: TestBrowser): Promise<Page> {
  const context = await browser.newContext({
    userAgent: USER_AGENT,
    viewport: { width: 1_280, height: 900 },
  });
  const page = await context.newPage();
  page.on('dialog', (dialog) => void dialog.accept());
  return page;
}

/** Makes a key on the page of keys. Returns the `curl` that is shown with it. */
async function makeKey(page: Page, name: string): Promise<string> {
  await page.getByRole('link', { name: 'Keys', exact: true }).click();
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Create the key' }).click();
  const commands = await page.locator('pre').allTextContents();
  return commands.find((text) => text.startsWith('curl ')) ?? '';
}

async function becomeOperator(page: Page, running: RunningGatekeeper): Promise<string> {
  await running.said('to become the operator');
  const [link = ''] = /http\S+\/links\/\S+/.exec(running.output()) ?? [];
  await page.goto(link);
  await page.getByLabel('Email').fill('operator@example.com');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Set up my account' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  return new URL(link).origin;
}

/** By the form, and the link in the mail. */
async function register(page: Page, url: string, mailbox: SmtpMailbox): Promise<void> {
  await page.goto(`${url}/register`);
  await page.getByLabel('Email').fill('member@gmail.com');
  await page.getByRole('button', { name: 'Send me a link' }).click();
  await page.getByRole('heading', { level: 1 }).waitFor();
  const [mail] = await mailbox.received(1);
  await page.goto(/http\S+\/links\/\S+/.exec(mail?.text ?? '')?.[0] ?? '');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button').last().click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
}

testWithBrowser(
  'a newcomer sets up, makes a key, pastes the curl, reads why, denies the domain, and the next curl comes back high',
  async (t) => {
    const running = await startGatekeeperProcess(t, temporaryFolder(t), CONFIG);
    const page = await openPage(await openBrowser(t));
    const url = await becomeOperator(page, running);
    const curl = await makeKey(page, 'shop');

    await page.getByRole('link', { name: 'Decisions', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Decisions' }).waitFor();
    const first = await paste(curl);
    t.is(first.risk_level, 'low');
    // It appears by itself.
    await page.locator(`a[href*="${first.request_id}"]`).first().click();
    await page.getByText('The mailbox is at a provider that is open to everyone.').waitFor();
    await page.getByText(first.request_id).first().waitFor();
    await page.getByRole('button', { name: 'Deny gmail.com' }).click();
    await page.waitForLoadState();

    const second = await paste(curl);
    t.is(second.risk_level, 'high');
    await page.goto(`${url}/decisions/${second.request_id}`);
    await page.getByText('The mailbox or its domain is on the deny list.').first().waitFor();
    await page.getByRole('link', { name: 'Audit' }).click();
    await page.getByText('gmail.com').first().waitFor();
    t.is(await running.end('SIGTERM'), 0);
  },
);

testWithBrowser(
  'a member registers, does the same with its own key, and sees nothing of others',
  async (t) => {
    const mailbox = await openSmtpMailbox(t);
    const mail = `mail: {smtp: "${mailbox.url}", from: "no-reply@shop.example"}`;
    const running = await startGatekeeperProcess(t, temporaryFolder(t), `${CONFIG}${mail}\n`);
    const browser = await openBrowser(t);
    const [operator, member] = [await openPage(browser), await openPage(browser)];
    const url = await becomeOperator(operator, running);
    const ofOperator = await paste(await makeKey(operator, 'shop'));

    await register(member, url, mailbox);
    const ofMember = await paste(await makeKey(member, 'blog'));
    await member.getByRole('link', { name: 'Decisions', exact: true }).click();
    await member.locator(`a[href*="${ofMember.request_id}"]`).first().waitFor();
    t.is(await member.locator(`a[href*="${ofOperator.request_id}"]`).count(), 0);
    for (const path of [
      `/decisions/${ofOperator.request_id}`,
      '/lists',
      '/accounts',
      '/audit',
      '/simulator',
    ]) {
      t.is((await member.goto(url + path))?.status(), 404, path);
    }
    await operator.goto(`${url}/decisions/${ofMember.request_id}`);
    await operator.getByText('member@gmail.com').first().waitFor();
    await operator.getByRole('button', { name: 'Deny gmail.com' }).click();
    await operator.waitForLoadState();
    await member.goto(`${url}/keys`);
    await member.getByText('blog').first().waitFor();
    await member.locator('summary', { hasText: 'member@gmail.com' }).click();
    await member.getByRole('button', { name: 'Sign out' }).click();
    t.regex((await member.goto(`${url}/keys`))?.url() ?? '', /\/sign-in\?next=/);
  },
);
