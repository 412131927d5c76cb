import test from 'ava';
import { CHROMIUM, openBrowser } from '../helpers/browser.ts';
import { openApiServer } from './api-server.ts';

(CHROMIUM === null ? test.skip : test)(
  'the API reference fits a phone, and breaks no name of a type',
  async (t) => {
    const server = await openApiServer(t);
    const browser = await openBrowser(t);
    const page = await browser.newPage({ viewport: { width: 360, height: 800 } });
    await page.goto(`${server.url}/docs`);
    t.is(await page.evaluate(() => document.documentElement.scrollWidth), 360);
    const lines = await page.evaluate(() =>
      [...document.querySelectorAll('td')]
        .filter((cell) => cell.textContent === 'string')
        .map((cell) => {
          const range = document.createRange();
          range.selectNodeContents(cell);
          return range.getClientRects().length;
        }),
    );
    t.true(lines.length > 0);
    t.deepEqual(new Set(lines), new Set([1]));
  },
);
