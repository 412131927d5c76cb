import type { ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { openBrowser } from '../../helpers/browser.ts';
import type { DashboardServer, Visitor } from '../dashboard-server.ts';

interface Look {
  readonly scheme: 'light' | 'dark';
  readonly width: number;
  /** False: the browser runs no scripts. */
  readonly scripts?: boolean;
}

export async function openPage(
  t: ExecutionContext,
  server: DashboardServer,
  visitor: Visitor,
  look: Look,
): Promise<Page> {
  const browser = await openBrowser(t);
  const context = await browser.newContext({
    ...{ bypassCSP: true, colorScheme: look.scheme, viewport: { width: look.width, height: 800 } },
    javaScriptEnabled: look.scripts ?? true,
  });
  const [name = '', value = ''] = visitor.cookie.split('=');
  await context.addCookies([{ name, value, url: server.url }]);
  return context.newPage();
}
