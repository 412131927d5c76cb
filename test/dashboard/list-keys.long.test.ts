import test from 'ava';
import { CHROMIUM, openBrowser, PATIENCE_MS, waitUntilTrue } from '../helpers/browser.ts';
import { startApp, startReview } from './review/review-server.ts';

const testWithBrowser = CHROMIUM === null ? test.skip : test;
const DOMAIN = 'shop.gatekeeper.dev';
const FOCUSED_ROW = `document.activeElement.closest('main tbody tr') !== null`;

/** Each list, and where Enter leads from its first row. */
const LISTS = [
  ['/decisions', /\/decisions\/[\w-]{20,}$/],
  ['/review', /\/decisions\/[\w-]{20,}$/],
  ['/campaigns', /\/campaigns\/one\?/],
  ['/routes', /\/decisions\?route=/],
  ['/accounts', /\/accounts\/[\w-]{20,}$/],
  ['/usage', /\/usage\?account=/],
] as const;

testWithBrowser(
  'the keys search, list themselves, move through the rows and open them on every list',
  async (t) => {
    t.timeout(PATIENCE_MS * 2);
    const app = await startApp(t);
    const server = await startReview(t, app.url);
    const operator = await server.signIn('operator');
    await server.signUp('/held', `email=jane%40${DOMAIN}`);
    for (let n = 0; n < 6; n++)
      await server.signUp('/refused', `email=promo.user${1_000 + n}%40gatekeeper.dev`);
    const context = await (await openBrowser(t)).newContext();
    const [name = '', value = ''] = operator.cookie.split('=');
    await context.addCookies([{ name, value, url: server.url }]);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const page = await context.newPage();

    for (const [path, next] of LISTS) {
      await page.goto(`${server.url}${path}`);
      await page.keyboard.press('/');
      t.is(await page.evaluate('document.activeElement.type'), 'search', path);
      await page.keyboard.press('Escape');
      await page.keyboard.press('?');
      await page.waitForSelector('#keyboard-help[open]');
      await page.keyboard.press('Escape');
      await page.waitForSelector('#keyboard-help:not([open])', { state: 'attached' });
      await page.keyboard.press('j');
      t.true(await page.evaluate(FOCUSED_ROW), path);
      await page.keyboard.press('Enter');
      await page.waitForURL(next);
      await page.goBack();
      // Any place of the row opens it, but its other links and buttons.
      await page.locator('main tbody tr:has(.opens) > :first-child').first().click();
      await page.waitForURL(next);
    }

    await page.goto(`${server.url}/keys`);
    for (const key of ['first', 'second']) {
      await page.fill('#name', key);
      await page.click('main button:has-text("Create the key")');
      await page.waitForSelector('#new-key');
      await page.goto(`${server.url}/keys`);
    }
    const focusedText = () => page.evaluate('document.activeElement.textContent') as Promise<string>;
    await page.keyboard.press('j');
    const first = await focusedText();
    await page.keyboard.press('j');
    t.not(await focusedText(), first);
    await page.keyboard.press('k');
    t.is(await focusedText(), first);
    // A row without a link has buttons that change something: Enter must not press them.
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    t.is(await page.evaluate('document.activeElement.name'), 'overlap');
    t.is((await server.records.apiKeys.list()).length, 2);

    await page.goto(`${server.url}/decisions`);
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/decisions\/[\w-]{20,}$/);
    await page.click('button[aria-label="Copy the request id"]');
    await waitUntilTrue(
      page,
      `navigator.clipboard.readText().then((text) => location.pathname.endsWith(text))`,
    );
    t.pass();
  },
);
