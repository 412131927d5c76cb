import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { LANGUAGES } from '../../../src/web/languages.ts';
import { UNNAMED_SITE } from '../../../src/web/site.ts';
import { CHROMIUM, openBrowser } from '../../helpers/browser.ts';
import { PAGES } from './every-page.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Set this to an existing folder to save screenshots. */
const SCREENSHOTS = process.env.SCREENSHOTS ?? null;
const testWithBrowser = CHROMIUM === null ? test.skip : test;

/** Each page at `/name/language`, under the policy that it is sent with. */
async function servePages(t: ExecutionContext): Promise<string> {
  const server = createServer((request, response) => {
    const [, name = '', language = ''] = (request.url ?? '').split('/');
    const place = {
      language: LANGUAGES.find((one) => one === language) ?? 'en',
      site: UNNAMED_SITE,
      publicUrl: 'https://app.example',
    };
    const shown = PAGES[name]?.(place);
    response.writeHead(200, {
      'Content-Type': 'text/html; charset=utf-8',
      // The browser asks for an icon too.
      'Content-Security-Policy': shown?.policy ?? '',
    });
    response.end(shown?.html);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function violationsOn(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const { violations } = (await page.evaluate(
    "axe.run({runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'wcag2aaa', 'best-practice']})",
  )) as AxeResults;
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

testWithBrowser('axe finds nothing on any page, in both themes, on a phone and on a desk', async (t) => {
  const [url, browser] = [await servePages(t), await openBrowser(t)];
  for (const [round, [scheme, width]] of (
    [
      ['light', 360],
      ['dark', 360],
      ['light', 1_280],
      ['dark', 1_280],
    ] as const
  ).entries()) {
    const context = await browser.newContext({
      ...{ bypassCSP: true, colorScheme: scheme, viewport: { width, height: 740 } },
    });
    const page = await context.newPage();
    for (const [index, name] of Object.keys(PAGES).entries()) {
      const language = LANGUAGES[(index + round) % LANGUAGES.length] ?? 'en';
      await page.goto(`${url}/${name}/${language}`);
      t.deepEqual(await violationsOn(page), [], `${name} in ${language}, ${scheme}, ${width}`);
      if (SCREENSHOTS) {
        await page.screenshot({
          path: `${SCREENSHOTS}/${name}-${language}-${scheme}-${width}.png`,
          fullPage: true,
        });
      }
    }
    await context.close();
  }
});

testWithBrowser('no page has to be scrolled sideways, not even at 400 % zoom of 1,280 px', async (t) => {
  const [url, browser] = [await servePages(t), await openBrowser(t)];
  const page = await browser.newPage({ viewport: { width: 320, height: 640 } });
  for (const name of Object.keys(PAGES)) {
    for (const language of LANGUAGES) {
      await page.goto(`${url}/${name}/${language}`);
      const isWider = await page.evaluate(
        'document.documentElement.scrollWidth > document.documentElement.clientWidth',
      );
      t.false(isWider, `${name} in ${language}`);
    }
  }
});

testWithBrowser('the style applies under the policy, and nothing had to be stopped', async (t) => {
  const [url, browser] = [await servePages(t), await openBrowser(t)];
  const page = await browser.newPage();
  const stopped: string[] = [];
  page.on('console', (message) => stopped.push(message.text()));
  await page.goto(`${url}/wrong/en`);
  t.is(await page.evaluate("getComputedStyle(document.querySelector('main')).maxWidth"), '544px');
  t.deepEqual(
    stopped.filter((text) => /policy/i.test(text)),
    [],
  );
});

testWithBrowser(
  'what a screen reader says of the field names its label, its hint and its error',
  async (t) => {
    const [url, browser] = [await servePages(t), await openBrowser(t)];
    const page = await browser.newPage();
    await page.goto(`${url}/wrong/en`);
    const field = page.getByRole('textbox', { name: 'Code from the mail' });
    t.is(await field.getAttribute('aria-invalid'), 'true');
    t.is(await field.getAttribute('autocomplete'), 'one-time-code');
    t.is(await field.getAttribute('inputmode'), 'numeric');
    t.is(
      await page.evaluate(
        "document.querySelector('input').getAttribute('aria-describedby').split(' ').map((id) => document.getElementById(id).textContent).join(' | ')",
      ),
      'This code is wrong. Tries left: 3. | Six digits',
    );
    t.is(await page.getByRole('alert').count(), 1);
    await page.goto(`${url}/queued/en`);
    t.is(await page.getByRole('status').textContent(), 'The mail is on its way.');
  },
);
