import { existsSync } from 'node:fs';
import type { ExecutionContext } from 'ava';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { until } from './until.ts';

const installed = (paths: readonly string[]) => paths.find(existsSync) ?? null;

/** The system's own; Playwright's is not downloaded. Null where there is none. */
export const CHROMIUM = installed([
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]);
/** Chromium without windows: half the CPU time. Its requests name it, so a gate takes it for an automation. */
const HEADLESS = installed(['/usr/bin/chromium-headless-shell']);

/** What a test has of the browser. Each context has its own cookies, storage and cache. */
export type TestBrowser = Pick<Browser, 'newContext' | 'newPage'>;

/** The next serial test takes the browser over; without one, it would keep the process of the tests alive. */
const KEPT_MS = 1_000;

/** For one step: the machine may be busy. A page that answers within a second has taken half a minute beside other browsers. */
export const PATIENCE_MS = 240_000;

interface Running {
  readonly browser: Promise<Browser>;
  users: number;
}

/** By the path of the program. */
const running = new Map<string, Running>();

/**
 * A browser that asks nobody but the pages it is sent to. All tests of a process share it; contexts end with the test.
 *
 * @param isJudged whether a gate judges what it sends. Then it is the browser of people.
 */
export async function openBrowser(t: ExecutionContext, { isJudged = false } = {}): Promise<TestBrowser> {
  const path = isJudged ? CHROMIUM : (HEADLESS ?? CHROMIUM);
  if (path === null) throw new Error('Chromium is not installed here.');
  const used = running.get(path) ?? { browser: launch(path), users: 0 };
  running.set(path, used);
  used.users++;
  const contexts: BrowserContext[] = [];
  t.teardown(async () => {
    await Promise.all(contexts.map((context) => context.close()));
    used.users--;
    setTimeout(() => void closeUnused(path, used), KEPT_MS);
  });
  const browser = await used.browser;
  const newContext: Browser['newContext'] = async (options) => {
    const context = await browser.newContext(options);
    context.setDefaultTimeout(PATIENCE_MS);
    contexts.push(context);
    return context;
  };
  return { newContext, newPage: async (options) => (await newContext(options)).newPage() };
}

/**
 * Waits until an expression is true in a page. `page.waitForFunction` evaluates it a second time within the page, whose
 * content security policy forbids that.
 */
export function waitUntilTrue(page: Page, expression: string): Promise<void> {
  return until(() => page.evaluate<boolean>(expression));
}

async function closeUnused(path: string, used: Running): Promise<void> {
  if (used.users > 0 || running.get(path) !== used) return;
  running.delete(path);
  await (await used.browser).close();
}

function launch(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
      ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
    ],
  });
}
