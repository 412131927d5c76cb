import { existsSync } from 'node:fs';
import type { ExecutionContext } from 'ava';
import { type Browser, chromium } from 'playwright-core';

/** The system's own; Playwright's is not downloaded. Null where there is none. */
export const CHROMIUM: string | null =
  ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync) ?? null;

/** A browser that asks nobody but the pages it is sent to; it ends with the test. */
export async function openBrowser(t: ExecutionContext): Promise<Browser> {
  if (CHROMIUM === null) throw new Error('Chromium is not installed here.');
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
      ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
    ],
  });
  t.teardown(() => browser.close());
  return browser;
}
