import test from 'ava';
import { tokenSha256 } from '../../../../src/web/tokens.ts';
import { authenticatorCode } from '../../../helpers/authenticator-code.ts';
import { CHROMIUM } from '../../../helpers/browser.ts';
import { lookAt } from '../../../helpers/looks.ts';
import { PASSWORD, startAccountServer } from '../account-server.ts';
import { addPasskey, EMAIL, openPage, signIn, signOut, useLater } from './passkey-page.ts';
import { addVirtualAuthenticator } from './virtual-authenticator.ts';

const testWithBrowser = CHROMIUM === null ? test.skip : test;

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
