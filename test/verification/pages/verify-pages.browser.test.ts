import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { LANGUAGES } from '../../../src/web/languages.ts';
import { UNNAMED_SITE } from '../../../src/web/site.ts';
import { CHROMIUM, openBrowser } from '../../helpers/browser.ts';
import { lookAt } from '../../helpers/looks.ts';
import { PAGES } from './every-page.ts';

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

testWithBrowser('axe finds nothing on any page, in both themes, on a phone and on a desk', async (t) => {
  const [url, browser] = [await servePages(t), await openBrowser(t)];
  const page = await browser.newPage({ bypassCSP: true });
  for (const [index, name] of Object.keys(PAGES).entries()) {
    const language = LANGUAGES[index % LANGUAGES.length] ?? 'en';
    await page.goto(`${url}/${name}/${language}`);
    await lookAt(t, page, `verification ${name} in ${language}`, 'visitors');
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
