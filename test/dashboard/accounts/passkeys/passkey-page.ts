import type { ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { openBrowser } from '../../../helpers/browser.ts';
import { type AccountServer, PASSWORD } from '../account-server.ts';

export const EMAIL = 'jane@example.com';

export async function openPage(t: ExecutionContext, server: AccountServer, options = {}) {
  const browser = await openBrowser(t);
  const context = await browser.newContext({ bypassCSP: true, ...options }); // for axe alone
  const page = await context.newPage();
  const url = server.gatekeeper.dashboardUrl;
  return { page, url, press: (label: string) => page.click(`main button:has-text("${label}")`) };
}

export async function signIn(page: Page, url: string) {
  await page.goto(`${url}/sign-in`);
  await page.fill('#email', EMAIL);
  await page.fill('#password', PASSWORD);
  await page.click('main button:has-text("Sign in"):not(.second)');
}

export async function signOut(page: Page, url: string) {
  await page.click('header summary');
  await page.click('header button:has-text("Sign out")');
  await page.waitForURL(`${url}/sign-in`);
}

/** Time passes before each sign-in: a challenge is older than the next. */
export function useLater({ clock }: AccountServer): void {
  clock.now += 1_000;
}

export async function addPasskey(page: Page, url: string, name: string, code: string | null = null) {
  await page.goto(`${url}/account`);
  await page.fill('#passkey-name', name);
  await page.fill('#passkey-password', PASSWORD);
  if (code !== null) await page.fill('#passkey-code', code);
  await page.click('main button:has-text("Add a passkey")');
  await page.waitForSelector('.notice.done:has-text("The passkey was added")');
}
