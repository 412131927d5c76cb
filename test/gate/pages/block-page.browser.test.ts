import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import test from 'ava';
import type { AxeResults } from 'axe-core';
import { LANGUAGES } from '../../../src/web/languages.ts';
import { CHROMIUM, openBrowser } from '../../helpers/browser.ts';
import { openGateServer } from '../gate-server.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
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
    for (const [index, language] of LANGUAGES.entries()) {
      const context = await browser.newContext({
        locale: language,
        bypassCSP: true, // for axe alone, which has to be put into the page
        colorScheme: index % 2 === 0 ? 'light' : 'dark',
        viewport: index % 2 === 0 ? { width: 360, height: 640 } : { width: 1_280, height: 720 },
      });
      const page = await context.newPage();
      await page.goto(`${server.url}/signup`);
      // Sooner, a repetition would quote the id of the row that it is added to.
      server.clock.now += 900_000;
      await Promise.all([page.waitForURL('**/signup'), page.click('button')]);
      await page.waitForSelector('code');
      t.is(await page.textContent('code'), server.recorded.at(-1)?.requestId ?? null);
      t.is(await page.getAttribute('html', 'lang'), language);
      const isWiderThanScreen = await page.evaluate(
        'document.documentElement.scrollWidth > document.documentElement.clientWidth',
      );
      t.false(isWiderThanScreen, language);
      await page.evaluate(AXE);
      const { violations } = (await page.evaluate(
        "axe.run({runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'wcag2aaa', 'best-practice']})",
      )) as AxeResults;
      t.deepEqual(
        violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
        [],
        language,
      );
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
