import test from 'ava';
import { LANGUAGES } from '../../../src/web/languages.ts';
import { CHROMIUM, openBrowser } from '../../helpers/browser.ts';
import { lookAt } from '../../helpers/looks.ts';
import { openGateServer } from '../gate-server.ts';

const FORM = `<!doctype html><html lang="en"><title>Sign up</title>
<form method="post" action="/signup"><input name="email" value="high@company.example"><button>Sign up</button></form>`;

const testWithBrowser = CHROMIUM === null ? test.skip : test;
testWithBrowser(
  'a person whose signup is refused gets a readable page, on a phone and on a desktop',
  async (t) => {
    const server = await openGateServer(t, {
      app: (_request, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end(FORM),
    });
    const browser = await openBrowser(t);
    for (const language of LANGUAGES) {
      // The policy of content is off for axe alone.
      const context = await browser.newContext({ locale: language, bypassCSP: true });
      const page = await context.newPage();
      await page.goto(`${server.url}/signup`);
      // Sooner, a repetition would quote the id of the row that it is added to.
      server.clock.now += 900_000;
      await Promise.all([page.waitForURL('**/signup'), page.click('button')]);
      await page.waitForSelector('code');
      t.is(await page.textContent('code'), server.recorded.at(-1)?.requestId ?? null);
      t.is(await page.getAttribute('html', 'lang'), language);
      await lookAt(t, page, `block page in ${language}`, 'visitors');
      await context.close();
    }
  },
);

testWithBrowser('the browser applies the one style sheet, and the policy blocks nothing', async (t) => {
  const server = await openGateServer(t);
  const browser = await openBrowser(t);
  const page = await browser.newPage();
  const stopped: string[] = [];
  page.on('console', (message) => {
    if (/policy/i.test(message.text())) stopped.push(message.text());
  });
  await page.route('**/form', (route) => route.fulfill({ contentType: 'text/html', body: FORM }));
  await page.goto(`${server.url}/form`);
  await page.click('button');
  await page.waitForSelector('code');
  t.is(await page.evaluate("getComputedStyle(document.querySelector('main')).maxWidth"), '544px');
  t.deepEqual(stopped, []);
});
