import { existsSync } from 'node:fs';
import type { ExecutionContext } from 'ava';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';

/** The system's own; Playwright's is not downloaded. Null where there is none. */
export const CHROMIUM: string | null =
  [
    '/usr/bin/chromium-headless-shell',
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ].find(existsSync) ?? null;

/** What a test has of the browser. Each context has its own cookies, storage and cache. */
export type TestBrowser = Pick<Browser, 'newContext' | 'newPage'>;

/** The next serial test takes the browser over; without one, it would keep the process of the tests alive. */
const KEPT_MS = 1_000;

let running: Promise<Browser> | null = null;
let users = 0;

/** A browser that asks nobody but the pages it is sent to. All tests of a process share it; contexts end with the test. */
export async function openBrowser(t: ExecutionContext): Promise<TestBrowser> {
  users++;
  const contexts: BrowserContext[] = [];
  t.teardown(async () => {
    await Promise.all(contexts.map((context) => context.close()));
    users--;
    setTimeout(closeUnused, KEPT_MS);
  });
  running ??= launch();
  const browser = await running;
  const newContext: Browser['newContext'] = async (options) => {
    const context = await browser.newContext(options);
    contexts.push(context);
    return context;
  };
  return { newContext, newPage: async (options) => (await newContext(options)).newPage() };
}

async function closeUnused(): Promise<void> {
  if (users > 0 || running === null) return;
  const unused = running;
  running = null;
  await (await unused).close();
}

function launch(): Promise<Browser> {
  if (CHROMIUM === null) throw new Error('Chromium is not installed here.');
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
      ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
    ],
  });
}
