// Takes the pictures of the documentation from the demo: `npm run screenshots`. Needs Chromium.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { chromium, type Page } from 'playwright-core';

const DEMO = fileURLToPath(new URL('../demo/main.ts', import.meta.url));
const FOLDER = fileURLToPath(new URL('../docs/screenshots/', import.meta.url));
const BROWSER = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
const PORT = '8765';
const SIZE = { width: 1280, height: 860 };

if (BROWSER === undefined) throw new Error('Install Chromium first: apt-get install chromium');
const demo = spawn(process.execPath, ['--import', 'tsx', DEMO], {
  stdio: ['ignore', 'pipe', 'inherit'],
  env: { ...process.env, GATEKEEPER_DEMO_PORT: PORT },
});
const ended = once(demo, 'close');
const browser = await chromium.launch({ executablePath: BROWSER, args: ['--no-sandbox'] });
try {
  const page = await browser.newPage({ viewport: SIZE });
  await page.goto(await linkOf(demo.stdout));
  await takeAll(page);
} finally {
  await browser.close();
  demo.kill('SIGTERM');
  await ended;
}

async function takeAll(page: Page): Promise<void> {
  for (const sender of ['campaign', 'campaign', 'typo', 'customer', 'burners']) await press(page, sender);
  const decision = await page.getByRole('link', { name: 'See why' }).getAttribute('href');
  // The rows are highlighted for a second.
  await page.waitForTimeout(2_000);
  await take(page, 'demo');
  // The search for attacks runs every 15 seconds.
  await page.waitForTimeout(20_000);
  await page.goto(new URL('/overview?range=7d', page.url()).href);
  await page.waitForLoadState('networkidle');
  await take(page, 'overview');
  await page.goto(new URL(decision ?? '', page.url()).href);
  await take(page, 'decision');
}

async function press(page: Page, sender: string): Promise<void> {
  const button = page.locator(`[data-sender="${sender}"]`);
  await button.click();
  await page.locator(`[data-sender="${sender}"]:enabled`).waitFor();
}

async function take(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: `${FOLDER}${name}.png` });
}

function linkOf(output: Readable): Promise<string> {
  let text = '';
  return new Promise((resolve, reject) => {
    output.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      const [, link] = /Open the demo\s+(\S+)/.exec(text) ?? [];
      if (link !== undefined) resolve(link);
    });
    output.once('end', () => reject(new Error(`The demo ended:\n${text}`)));
  });
}
