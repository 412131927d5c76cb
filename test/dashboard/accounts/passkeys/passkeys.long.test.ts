import test from 'ava';
import { authenticatorCode } from '../../../helpers/authenticator-code.ts';
import { CHROMIUM } from '../../../helpers/browser.ts';
import { lookAt } from '../../../helpers/looks.ts';
import { PASSWORD, startAccountServer } from '../account-server.ts';
import { addPasskey, EMAIL, openPage, signIn, signOut, useLater } from './passkey-page.ts';
import { addVirtualAuthenticator } from './virtual-authenticator.ts';

const testWithBrowser = CHROMIUM === null ? test.skip : test;

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
