import test from 'ava';
import type { Page } from 'playwright-core';
import { BROWSER, startBusyDashboard } from '../dashboard/busy-dashboard.ts';
import { CHROMIUM, openBrowser } from '../helpers/browser.ts';
import { sharedJson } from '../helpers/shared-data.ts';

const testWhereItCan = CHROMIUM !== null ? test : test.skip;

/** What a string could have become, had it been taken for markup. */
const MADE_OF_MARKUP = `(() => {
  const found = [];
  for (const element of document.querySelectorAll('*')) {
    for (const { name, value } of element.attributes) {
      if (name.startsWith('on')) found.push(element.outerHTML);
      if (['href', 'src', 'action'].includes(name) && !/^[/#?]|^https?:\\/\\/127\\.0\\.0\\.1/.test(value)) found.push(element.outerHTML);
    }
    if (/^(iframe|object|embed|base|style|video|audio|marquee|math)$/i.test(element.tagName)) found.push(element.outerHTML);
    if (element.tagName === 'SCRIPT' && !element.getAttribute('src')?.startsWith('/static/')) found.push(element.outerHTML);
  }
  return found;
})()`;

testWhereItCan('hostile strings in every field show as text, and raise no dialog', async (t) => {
  const { content: strings, isSample } = sharedJson<readonly string[]>('conformance/naughty-strings.json');
  t.true(isSample || strings.length === 515);
  const { url, operator, score } = await startBusyDashboard(t, {
    config: (config) => ({
      ...config,
      privacy: { ...config.privacy, store_plain: true },
      dashboard: { ...config.dashboard, registration: 'open' },
    }),
  });
  const decided: string[] = [];
  const attempt = (text: string, i: number): Promise<string> => {
    const signup = { ip_address: `2.125.160.${i % 250}`, user_agent: text.slice(0, 2_048) || BROWSER };
    const quoted = `"${text.slice(0, 40).replace(/[\\"]/g, '\\$&')}"@example.com`;
    // What is no address is refused at the door; its user agent is looked at with another one.
    return score({ ...signup, email: quoted }).catch(() => score({ ...signup, email: `n${i}@example.com` }));
  };
  for (let from = 0; from < strings.length; from += 50) {
    decided.push(
      ...(await Promise.all(strings.slice(from, from + 50).map((text, n) => attempt(text, from + n)))),
    );
  }
  // Strings with something of markup, of addresses or of quotes in them; the others cannot become anything.
  const suspicious = strings.flatMap((text, i) => (/[<>"'`&]|script:/.test(text) ? [i] : []));
  await Promise.all(
    suspicious.map(async (i) => {
      const text = strings[i] ?? '';
      const { status } = await operator.post('/lists', {
        ...{ entries: `h${i}.example`, note: text, list: 'deny' },
      });
      t.true(status < 500, `${status} for ${JSON.stringify(text)}`);
    }),
  );
  for (const i of suspicious.slice(0, 40)) {
    const text = strings[i] ?? '';
    const answers = [
      await operator.post('/keys', { name: text, kind: 'live' }),
      await operator.post('/lists', { entries: text, note: text, list: 'deny' }),
      await operator.post(`/decisions/${decided[0]}/label`, { label: text }),
    ];
    for (const { status } of answers) t.true(status < 500, `${status} for ${JSON.stringify(text)}`);
  }
  const all = await operator.post('/lists', { entries: strings.join('\n'), note: '', list: 'deny' });
  t.true(all.status < 500);

  const browser = await openBrowser(t);
  const context = await browser.newContext({
    bypassCSP: true,
    extraHTTPHeaders: { cookie: operator.cookie },
  });
  const page = await context.newPage();
  const [dialogs, errors]: [string[], string[]] = [[], []];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  page.on('pageerror', (error) => void errors.push(error.message));
  const look = async (path: string) => {
    await page.goto(url + path);
    t.deepEqual(await page.evaluate(MADE_OF_MARKUP), [], path);
  };

  for (const path of ['/overview', '/campaigns', '/keys', '/usage', '/accounts', '/simulator', '/account']) {
    await look(path);
  }
  for (const list of ['/decisions', '/lists', '/audit']) await lookThrough(page, list, look);
  for (const i of suspicious.filter((_, n) => n % 6 === 0)) await look(`/decisions/${decided[i]}`);
  for (const i of suspicious.filter((_, n) => n % 12 === 0)) {
    const query = encodeURIComponent(Buffer.from(strings[i] ?? '').toString());
    await look(`/decisions?domain=${query}&route=${query}&code=${query}&network=${query}&id=${query}`);
    await look(`/search?q=${query}&mailbox=${query}&account=${query}`);
    await look(`/lists?search=${query}&kind=${query}`);
    await look(`/audit?act=${query}&actor=${query}&before=${query}`);
    await look(`/sign-in?next=${query}`);
  }
  t.deepEqual(dialogs, []);
  t.deepEqual(errors, []);
});

/** From page to page by the link to older entries. */
async function lookThrough(page: Page, path: string, look: (path: string) => Promise<void>): Promise<void> {
  let next: string | null = path;
  for (let pages = 0; next !== null && pages < 20; pages++) {
    await look(next);
    next =
      (await page.locator('a[rel=next]').count()) > 0
        ? await page.locator('a[rel=next]').getAttribute('href')
        : null;
  }
}
