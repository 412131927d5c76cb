import { createHash } from 'node:crypto';
import test from 'ava';
import { CHROMIUM, openBrowser } from '../helpers/browser.ts';
import { openUpstreamApp, type UpstreamApp } from '../helpers/upstreams/open-upstream.ts';
import { startShop } from './signup-shops.ts';

/** The way of a signup with a form that has no file, through verification, to the shop. */
export function testPlainForm(shop: UpstreamApp): void {
  const isInstalled = CHROMIUM !== null && shop.isInstalled();
  const testWhereInstalled = isInstalled ? test : test.skip;
  testWhereInstalled(
    `in Chromium, a ${shop.name} app gets a plain form with its CSRF field and session, once its sender verified`,
    async (t) => {
      const port = (await openUpstreamApp(t, shop)) ?? 0;
      const { url, mailbox } = await startShop(t, port);
      const browser = await openBrowser(t, { isJudged: true });
      const page = await (await browser.newContext({ locale: 'en-GB' })).newPage();
      await page.goto(`${url}/join`);
      await page.fill('input[name=email]', 'jane.doe@gmail.com');
      await page.fill('textarea', 'Zoë & Söhne = 100 %;\n+1 "ja" 🙂');
      await page.click('button');
      t.regex(page.url(), /\/\.gatekeeper\/verify\/[\w-]{43}$/);
      const [mail] = await mailbox.received(1);

      // By the link this time: it works in any browser, and the account is made from what this one sent.
      const telephone = await (await browser.newContext()).newPage();
      await telephone.goto(mail?.link ?? '');
      await telephone.click('button');
      const sha256 = createHash('sha256').update('Zoë & Söhne = 100 %;\r\n+1 "ja" 🙂').digest('hex');
      t.is(telephone.url(), `${url}/welcome?photo=${sha256}`);
      t.is(await telephone.textContent('body'), `welcome known=true accounts=1 photo=${sha256}`);

      await page.fill('input[name=code]', mail?.code ?? '');
      await page.click('button:has-text("Confirm")');
      t.is(await page.textContent('h1'), 'This page is no longer valid');
      await page.goto(`${url}/welcome?photo=none`);
      t.is(await page.textContent('body'), 'welcome known=false accounts=1 photo=none');
    },
  );
}
