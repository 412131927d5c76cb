import test from 'ava';
import type { BrowserContext, Page } from 'playwright-core';
import { CHROMIUM, openBrowser, PATIENCE_MS } from '../../helpers/browser.ts';
import { lookAt } from '../../helpers/looks.ts';
import { type ReviewServer, startApp, startReview } from './review-server.ts';

const testWithBrowser = CHROMIUM === null ? test.skip : test;

const keeping = (config: Parameters<NonNullable<Parameters<typeof startReview>[2]>>[0]) => ({
  ...config,
  review: { ...config.review, keep_refused: true },
});

/** A cookie of the browser itself: header fields that a test adds are not sent after a redirect. */
async function signedIn(context: BrowserContext, url: string, cookie: string): Promise<Page> {
  const [name = '', value = ''] = cookie.split('=');
  await context.addCookies([{ name, value, url }]);
  const page = await context.newPage();
  return page;
}

async function letInBy(server: ReviewServer, page: Page, id: string): Promise<number> {
  let actions = 0;
  // Before the customer asks, support has the dashboard open.
  await page.goto(`${server.url}/review`);
  actions++;
  await page.getByRole('searchbox', { name: 'Search' }).fill(id);
  actions++;
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/decisions/${id}`);
  actions++;
  await page.getByRole('button', { name: 'Let in' }).click();
  await page.waitForURL(/done=let-in/);
  return actions;
}

for (const javaScriptEnabled of [true, false]) {
  testWithBrowser(
    `support lets a customer in from a request id with at most four actions, ${javaScriptEnabled ? 'with' : 'without'} scripts`,
    async (t) => {
      t.timeout(PATIENCE_MS * 2);
      const app = await startApp(t);
      const server = await startReview(t, app.url, keeping);
      const support = await server.signIn('support');
      const body = 'email=jane%40example.com&password=a+secret%21';
      const id = await server.signUp('/held', body);
      const browser = await openBrowser(t);
      const context = await browser.newContext({
        ...{ javaScriptEnabled, viewport: { width: 360, height: 800 } },
      });
      const page = await signedIn(context, server.url, support.cookie);
      t.true((await letInBy(server, page, id)) <= 4);
      t.deepEqual(
        app.arrived.map((arrived) => arrived.body.toString()),
        [body],
      );
      t.true(await page.getByText('The app accepted it and answered 201.').isVisible());
      t.true(await page.getByText('You can sign in now.').isVisible());
    },
  );
}

testWithBrowser('by keyboard alone a signup is refused on the desk and the refusal undone', async (t) => {
  t.timeout(PATIENCE_MS * 2);
  const app = await startApp(t);
  const server = await startReview(t, app.url, keeping);
  const support = await server.signIn('support');
  const id = await server.signUp('/held');
  const context = await (await openBrowser(t)).newContext();
  const page = await signedIn(context, server.url, support.cookie);
  await page.goto(`${server.url}/review`);
  await page.keyboard.press('j');
  for (const _act of ['let in', 'mail', 'more time', 'refuse']) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForURL(/done=refused/);
  t.is((await server.records.reviews.reviewOf(id, Date.now()))?.signup?.state, 'dismissed');
  await page.getByRole('button', { name: 'Undo' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/done=undone/);
  t.is((await server.records.reviews.reviewOf(id, Date.now()))?.signup?.state, 'waiting');
});

testWithBrowser('all actions of a held signup are in sight without scripts, too', async (t) => {
  const app = await startApp(t);
  const server = await startReview(t, app.url, keeping);
  const support = await server.signIn('support');
  await server.signUp('/held', 'email=jane%40example.com');
  const browser = await openBrowser(t);
  const context = await browser.newContext({
    ...{ javaScriptEnabled: false, viewport: { width: 1_280, height: 800 } },
  });
  const page = await signedIn(context, server.url, support.cookie);
  await page.goto(`${server.url}/review`);
  const table = await page.locator('.table').first().boundingBox();
  const button = await page.getByRole('button', { name: 'Refuse' }).boundingBox();
  if (!table || !button) throw new Error('the table has no button');
  t.true(button.x + button.width <= table.x + table.width);
});

testWithBrowser(
  'axe finds nothing on the desk with signups, in both themes, and it fits a phone',
  async (t) => {
    t.timeout(PATIENCE_MS * 2);
    const app = await startApp(t);
    const server = await startReview(t, app.url, keeping);
    const support = await server.signIn('support');
    for (let i = 0; i < 3; i++) await server.signUp('/held', `email=jane${i}%40example.com`);
    const refused = await server.signUp('/refused', 'email=x%40mailinator.com');
    const held = await server.signUp('/held', 'email=last%40example.com');
    const done = await server.signUp('/held', 'email=done%40example.com');
    await support.post(`/review/${done}/let-in`);
    const dismissed = await server.signUp('/held', 'email=no%40example.com');
    await support.post(`/review/${dismissed}/refuse`);
    const paths = {
      desk: '/review',
      undo: `/review?done=refused&of=${dismissed}`,
      extended: `/review?done=extended&of=${held}&from=1780000000000&to=1780000900000`,
      held: `/decisions/${held}`,
      refused: `/decisions/${refused}`,
      done: `/decisions/${done}?done=let-in`,
    };
    const browser = await openBrowser(t);
    const context = await browser.newContext({ bypassCSP: true });
    const page = await signedIn(context, server.url, support.cookie);
    for (const [name, path] of Object.entries(paths)) {
      await page.goto(server.url + path);
      await lookAt(t, page, `review ${name}`);
    }
  },
);
