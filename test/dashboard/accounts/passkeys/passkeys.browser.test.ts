import test, { type ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { tokenSha256 } from '../../../../src/web/tokens.ts';
import { authenticatorCode } from '../../../helpers/authenticator-code.ts';
import { CHROMIUM, openBrowser } from '../../../helpers/browser.ts';
import { lookAt } from '../../../helpers/looks.ts';
import { type AccountServer, PASSWORD, startAccountServer } from '../account-server.ts';
import { addVirtualAuthenticator } from './virtual-authenticator.ts';

const testWithBrowser = CHROMIUM === null ? test.skip : test;
const EMAIL = 'jane@example.com';

async function openPage(t: ExecutionContext, server: AccountServer, options = {}) {
  const browser = await openBrowser(t);
  const context = await browser.newContext({ bypassCSP: true, ...options }); // for axe alone
  const page = await context.newPage();
  const url = server.gatekeeper.dashboardUrl;
  return { page, url, press: (label: string) => page.click(`main button:has-text("${label}")`) };
}

async function signIn(page: Page, url: string) {
  await page.goto(`${url}/sign-in`);
  await page.fill('#email', EMAIL);
  await page.fill('#password', PASSWORD);
  await page.click('main button:has-text("Sign in"):not(.second)');
}

async function signOut(page: Page, url: string) {
  await page.click('header summary');
  await page.click('header button:has-text("Sign out")');
  await page.waitForURL(`${url}/sign-in`);
}

/** Time passes before each sign-in: a challenge is older than the next. */
function useLater({ clock }: AccountServer): void {
  clock.now += 1_000;
}

async function addPasskey(page: Page, url: string, name: string, code: string | null = null) {
  await page.goto(`${url}/account`);
  await page.fill('#passkey-name', name);
  await page.fill('#passkey-password', PASSWORD);
  if (code !== null) await page.fill('#passkey-code', code);
  await page.click('main button:has-text("Add a passkey")');
  await page.waitForSelector('.notice.done:has-text("The passkey was added")');
}

testWithBrowser('a passkey is added, signs in without a password, and is removed', async (t) => {
  const server = await startAccountServer(t, { isAtLocalhost: true });
  const { accountId } = await server.person(EMAIL);
  const { page, url, press } = await openPage(t, server);
  const alerts: string[] = [];
  page.on('dialog', (dialog) => {
    alerts.push(dialog.message());
    void dialog.accept();
  });
  await addVirtualAuthenticator(page);
  await signIn(page, url);
  await page.waitForURL(`${url}/overview`);
  const name = '<img src=x onerror=alert(1)>"\'';
  await addPasskey(page, url, name);
  t.is(await page.locator('td[data-label="Passkey"]').textContent(), name);
  t.deepEqual(alerts, []);
  await lookAt(t, page, 'account-with-passkey');
  await page.fill('#passkey-password', PASSWORD);
  await press('Add a passkey');
  await page.waitForSelector('[data-passkey-problem]:has-text("already has a passkey")');

  await signOut(page, url);
  await lookAt(t, page, 'sign-in-with-passkey');
  useLater(server);
  await page.focus('button:has-text("Sign in with a passkey")');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${url}/overview`);
  await page.goto(`${url}/account`);
  t.is(await page.locator('td[data-label="Last sign-in"] .nothing').count(), 0, 'its use is shown');
  t.true((await server.records.sessions.list(accountId)).some(({ byPasskey }) => byPasskey));

  await press('Remove');
  await page.waitForSelector('.notice.done:has-text("The passkey was removed")');
  t.is(alerts.length, 1, 'asked once');
  await signOut(page, url);
  useLater(server);
  await press('Sign in with a passkey');
  await page.waitForSelector('.notice.error:has-text("does not open an account here")');
  const acts = await server.records.audit.page({ before: null, limit: 2 });
  t.deepEqual(
    acts.map(({ act }) => act),
    ['passkey.removed', 'passkey.added'],
  );
});

testWithBrowser('a replayed, copied or unverified passkey signs nobody in', async (t) => {
  const server = await startAccountServer(t, { isAtLocalhost: true });
  await server.person(EMAIL);
  const { page, url, press } = await openPage(t, server);
  const device = await addVirtualAuthenticator(page);
  await signIn(page, url);
  await page.waitForURL(`${url}/overview`);
  await addPasskey(page, url, 'phone');
  await signOut(page, url);
  const posted = page.waitForRequest((request) => request.url().endsWith('/sign-in/passkey'));
  useLater(server);
  await press('Sign in with a passkey');
  const body = (await posted).postData() ?? '';
  await page.waitForURL(`${url}/overview`);
  const stranger = server.browser();
  const replayed = await stranger.send({
    ...{ method: 'POST', path: '/sign-in/passkey', body },
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
  });
  t.is(replayed.status, 403);
  t.false(stranger.cookies.has('gatekeeper_session'));

  await signOut(page, url);
  t.true((await device.counter()) > 0);
  await device.setCounter(0);
  useLater(server);
  await press('Sign in with a passkey');
  await page.waitForSelector('.notice.error:has-text("does not open an account here")');

  await device.verifyUser(false);
  useLater(server);
  await press('Sign in with a passkey');
  await page.waitForSelector('[data-passkey-problem]:has-text("No passkey was used")');
  await page.goto(`${url}/account`);
  t.true(page.url().startsWith(`${url}/sign-in`));
});

testWithBrowser(
  'where two-factor is required, a passkey is enough, and the password alone is not',
  async (t) => {
    const server = await startAccountServer(t, { isAtLocalhost: true, require_two_factor: true });
    const { accountId } = await server.person(EMAIL);
    const { page, url, press } = await openPage(t, server);
    await addVirtualAuthenticator(page);
    await signIn(page, url);
    await page.waitForURL(`${url}/account/two-factor`);
    await lookAt(t, page, 'two-factor-required');
    await press('Set up an authenticator app');
    await page.waitForSelector('.qr-code');
    await lookAt(t, page, 'two-factor-set-up');
    const secret = ((await page.locator('.typed-key').textContent()) ?? '').replaceAll(' ', '');
    await page.fill('#code', authenticatorCode(secret, server.clock.now));
    await page.fill('#password', PASSWORD);
    await press('Turn two-factor on');
    await page.waitForSelector('#recovery-codes');
    await lookAt(t, page, 'recovery-codes');
    await page.click('text=I have saved them');
    await page.waitForSelector('#turn-off-heading');
    await lookAt(t, page, 'two-factor-on');
    server.clock.now += 60_000;
    await addPasskey(page, url, 'phone', authenticatorCode(secret, server.clock.now));
    await lookAt(t, page, 'account-with-two-factor');
    await signOut(page, url);
    await signIn(page, url);
    await page.waitForURL(/second-step/);
    await page.click('summary:has-text("recovery code")');
    await lookAt(t, page, 'second-step');
    useLater(server);
    await press('Sign in with a passkey');
    await page.waitForURL(`${url}/overview`);

    await server.records.twoFactor.turnOff(accountId);
    await page.goto(`${url}/account`);
    t.is(page.url(), `${url}/account`, 'the passkey of this session is the second factor');
    await signOut(page, url);
    await signIn(page, url);
    await page.waitForURL(/second-step/);
    t.is(await page.locator('#code').count(), 0);
    await page.goto(`${url}/account/two-factor`);
    t.true(page.url().startsWith(`${url}/sign-in`), 'the password alone sets nothing up');
    await page.goto(`${url}/sign-in/second-step`);
    useLater(server);
    await press('Sign in with a passkey');
    await page.waitForURL(`${url}/overview`);
  },
);

testWithBrowser('where two-factor is required, a passkey can be the first second factor', async (t) => {
  const server = await startAccountServer(t, { isAtLocalhost: true, require_two_factor: true });
  const { accountId } = await server.person(EMAIL);
  const { page, url, press } = await openPage(t, server);
  await addVirtualAuthenticator(page);
  await signIn(page, url);
  await page.waitForURL(`${url}/account/two-factor`);
  await page.fill('#passkey-password', 'not my password');
  await press('Add a passkey');
  await page.waitForSelector('.field .error:has-text("not your password")');
  t.is(page.url(), `${url}/account/two-factor/passkey`);
  await page.fill('#passkey-password', PASSWORD);
  await press('Add a passkey');
  await page.waitForSelector('.notice.done:has-text("The passkey was added")');
  await page.goto(`${url}/overview`);
  t.is(page.url(), `${url}/overview`);

  // A session of the password alone, as one from before two-factor was required.
  const account = await server.records.accounts.find(accountId);
  const [session] = await server.records.sessions.list(accountId);
  t.truthy(account && session?.byPasskey);
  await server.records.sessions.end(session?.id ?? '', accountId);
  await signIn(page, url);
  await page.waitForURL(/second-step/);
  useLater(server);
  await press('Sign in with a passkey');
  await page.waitForURL(`${url}/overview`);
});

testWithBrowser('a session from before two-factor was required is confirmed by the passkey', async (t) => {
  const server = await startAccountServer(t, { isAtLocalhost: true, require_two_factor: true });
  const { accountId } = await server.person(EMAIL);
  const { page, url, press } = await openPage(t, server);
  await addVirtualAuthenticator(page);
  await signIn(page, url);
  await page.waitForURL(`${url}/account/two-factor`);
  const [old] = await page.context().cookies();
  await page.fill('#passkey-password', PASSWORD);
  await press('Add a passkey');
  await page.waitForSelector('.notice.done');
  const token = old?.value ?? '';
  const value = token.slice(0, -1) + (token.endsWith('A') ? 'E' : 'A');
  const session = { accountId, browser: '', network: '', id: tokenSha256(value) };
  const account = await server.records.accounts.find(accountId);
  await server.records.sessions.create(session, account?.passwordChangedAt ?? null);
  await page.context().addCookies([{ name: old?.name ?? '', value, url }]);
  await page.goto(`${url}/decisions`);
  t.is(page.url(), `${url}/account/two-factor`);
  t.is(await page.locator('#passkey-password, form[action$="/begin"]').count(), 0, 'nothing else is offered');
  await lookAt(t, page, 'two-factor-confirm');
  useLater(server);
  await press('Confirm with your passkey');
  await page.waitForURL(`${url}/overview`);
});

testWithBrowser('without scripts two-factor works, and passkeys are not offered', async (t) => {
  const server = await startAccountServer(t, { isAtLocalhost: true });
  await server.person(EMAIL);
  const { page, url, press } = await openPage(t, server, { javaScriptEnabled: false });
  await page.goto(`${url}/sign-in`);
  t.false(await page.isVisible('text=Sign in with a passkey'));
  await signIn(page, url);
  await page.waitForURL(`${url}/overview`);
  await page.goto(`${url}/account`);
  t.true(await page.isVisible('text=Adding a passkey needs a browser with passkeys and scripts'));
  t.false(await page.isVisible('#passkey-name'));
  await page.click('a:has-text("Set up an authenticator app")');
  await press('Set up an authenticator app');
  const secret = ((await page.locator('.typed-key').textContent()) ?? '').replaceAll(' ', '');
  await page.fill('#code', authenticatorCode(secret, server.clock.now));
  await page.fill('#password', PASSWORD);
  await press('Turn two-factor on');
  const [code = ''] = ((await page.locator('#recovery-codes').textContent()) ?? '').split('\n');
  await page.context().clearCookies();
  await signIn(page, url);
  await page.waitForURL(/second-step/);
  await page.click('summary:has-text("recovery code")');
  await page.fill('#recovery-code', code);
  await page.click('details button');
  await page.waitForURL(`${url}/overview`);
});
