import { confirm, type Site, scoreOnce } from './acts.ts';
import { openBrowser } from './browser.ts';
import type { Journal } from './journal.ts';

/** What works again in the next process although it was acknowledged as ended, and what was not kept. */
export async function findReturned(
  { apiUrl, gateUrl, dashboardUrl }: Pick<Site, 'apiUrl' | 'gateUrl' | 'dashboardUrl'>,
  apiKey: string,
  { scores, revoked, usedLinks, sessions, ended, held, confirmed }: Journal,
  bodies: readonly string[],
): Promise<string[]> {
  const found: string[] = [];
  const here = (url: string) => `${gateUrl}${new URL(url).pathname}`;
  for (const { name, key } of revoked) {
    const { status } = await scoreOnce(apiUrl, key, null);
    if (status !== 401) found.push(`the revoked key "${name}" is answered with ${status}`);
  }
  for (const path of usedLinks) {
    const { status } = await openBrowser(dashboardUrl, '').get(path);
    if (status === 200) found.push(`the used link ${path} opens again`);
  }
  const isSignedIn = async (cookie: string) =>
    (await openBrowser(dashboardUrl, cookie).get('/account')).status === 200;
  for (const cookie of ended) if (await isSignedIn(cookie)) found.push('a session that signed out is back');
  for (const cookie of sessions) if (!(await isSignedIn(cookie))) found.push('a session is lost');
  for (const { idempotencyKey, requestId } of scores.slice(-3)) {
    const again = await scoreOnce(apiUrl, apiKey, idempotencyKey);
    if (again.requestId !== requestId) found.push(`${idempotencyKey} got another answer`);
  }
  for (const signup of confirmed) {
    const status = await confirm({ ...signup, url: here(signup.url) });
    if (status !== 410) found.push(`${signup.email} is confirmed again, with ${status}`);
  }
  const wasConfirmed = new Set(confirmed.map(({ email }) => email));
  for (const signup of held) {
    const replays = () => bodies.filter((body) => body.includes(`"${signup.email}"`)).length;
    const before = replays();
    if (!wasConfirmed.has(signup.email) && before === 0 && signup.code !== '') {
      const status = await confirm({ ...signup, url: here(signup.url) });
      // One whose confirmation was under way is closed for good: the app must not get it twice.
      if (status !== 201 && status !== 410) found.push(`${signup.email} was held, and gets ${status}`);
      if (status === 410 && isNeverConfirmed(signup.email))
        found.push(`${signup.email} was held, and is lost`);
    }
    if (replays() > 1) found.push(`the app got ${signup.email} ${replays()} times`);
  }
  return found;
}

/** Every second sender does not confirm. */
function isNeverConfirmed(email: string): boolean {
  return Number(/-(\d+)@/.exec(email)?.[1]) % 2 > 0;
}
