import test from 'ava';
import type { Page } from 'playwright-core';
import { CHROMIUM, openBrowser } from '../../helpers/browser.ts';
import { lookAt } from '../../helpers/looks.ts';
import { linkIn, PASSWORD, startAccountServer } from './account-server.ts';

/** Longer than a phone is wide. */
const OPERATOR = 'bartholomew.featherstonehaugh.wolfeschlegelsteinhausen@company.example';

const testWithBrowser = CHROMIUM === null ? test.skip : test;

testWithBrowser('a newcomer becomes the operator and comes back; a stranger registers by mail', async (t) => {
  const { url, setUpPath, mailbox } = await startAccountServer(t, { registration: 'open' });
  const browser = await openBrowser(t);
  const newPage = async () => {
    const context = await browser.newContext({ bypassCSP: true }); // for axe alone, which is put into the page
    return context.newPage();
  };
  const press = (page: Page, label: string) => page.click(`main button:has-text("${label}")`);

  const page = await newPage();
  await page.goto(`${url}/sign-in`);
  await lookAt(t, page, 'sign-in without operator');
  await page.goto(url + (await setUpPath()));
  await page.fill('#email', OPERATOR);
  await page.fill('#password', 'aaaaaaaaaa');
  await press(page, 'Set up my account');
  await page.waitForSelector('#password-error');
  await lookAt(t, page, 'set-up with a mistake');
  await page.fill('#password', PASSWORD);
  await press(page, 'Set up my account');
  await page.waitForURL(`${url}/overview`);
  await page.goto(`${url}/account`);
  await lookAt(t, page, 'account');
  await page.click('header summary');
  await page.click('header button:has-text("Sign out")');
  await page.waitForURL(`${url}/sign-in`);
  await page.goto(`${url}/account`);
  await page.fill('#email', OPERATOR);
  await page.fill('#password', 'wrong');
  await press(page, 'Sign in');
  await page.waitForSelector('.notice.error');
  await lookAt(t, page, 'sign-in refused');
  await page.fill('#password', PASSWORD);
  await press(page, 'Sign in');
  await page.waitForURL(`${url}/account`);

  const stranger = await newPage();
  await stranger.goto(`${url}/register`);
  await lookAt(t, stranger, 'register');
  await stranger.fill('#email', 'jane.doe@gmail.com');
  await press(stranger, 'Send me a link');
  await stranger.waitForSelector('h1:has-text("Check your mail")');
  await lookAt(t, stranger, 'look into your mailbox');
  const link = url + linkIn((await mailbox.received(1))[0]);
  await stranger.goto(link);
  await lookAt(t, stranger, 'a link from the mail');
  await stranger.fill('#password', PASSWORD);
  await press(stranger, 'Set up my account');
  await stranger.waitForURL(`${url}/overview`);
  t.is(await stranger.locator('header a:has-text("Audit")').count(), 0, 'a member administers nothing');
  await stranger.goto(link);
  await lookAt(t, stranger, 'a used link');
});
