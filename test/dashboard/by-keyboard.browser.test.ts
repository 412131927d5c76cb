import test, { type ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { CHROMIUM, openBrowser } from '../helpers/browser.ts';
import { type ReviewServer, startApp, startReview } from './review/review-server.ts';

const testWithBrowser = CHROMIUM === null ? test.skip : test;
/** The machine may be busy. */
const PATIENCE_MS = 240_000;
/** More than a page has fields, buttons and links. */
const MAX_TABS = 150;
/** In an error. The name of a whole page is its text. */
const LONGEST_NAME = 40;
const DOMAIN = 'shop.gatekeeper.dev';

/** What has the focus: its name, and whether the user can see that it has the focus. */
interface Focused {
  readonly name: string;
  readonly isVisible: boolean;
}

/** A string, since it runs in the browser. */
const FOCUSED = `(() => {
  const { activeElement: element } = document;
  const style = getComputedStyle(element);
  const labels = [...(element.labels ?? [])].map((label) => label.textContent).join(' ');
  const box = element.getBoundingClientRect();
  return {
    name: (element.getAttribute('aria-label') || labels || element.textContent || '').trim(),
    isVisible: element.matches(':focus-visible') && style.outlineStyle !== 'none' && box.width > 0 && box.height > 0,
  };
})()`;

/** Presses Tab until the element with that name has the focus. */
async function tabTo(t: ExecutionContext, page: Page, name: RegExp): Promise<void> {
  const passed: string[] = [];
  while (passed.length < MAX_TABS) {
    await page.keyboard.press('Tab');
    const focused = (await page.evaluate(FOCUSED)) as Focused;
    if (name.test(focused.name)) {
      t.true(focused.isVisible, `${focused.name} does not show its focus`);
      return;
    }
    passed.push(focused.name.slice(0, LONGEST_NAME));
  }
  throw new Error(`Tab does not reach ${name} on ${page.url()}: ${passed.join(' | ')}`);
}

/** Tabs to an element, presses Enter there, and waits for the next page. */
async function enter(t: ExecutionContext, page: Page, name: RegExp, next: RegExp): Promise<void> {
  await tabTo(t, page, name);
  await enterHere(page, next);
}

async function enterHere(page: Page, next: RegExp): Promise<void> {
  await page.keyboard.press('Enter');
  await page.waitForURL(next);
}

const entriesOf = ({ records }: ReviewServer) =>
  records.listEntries.page({ after: null, limit: 10, filter: {} });

testWithBrowser('an operator does the ten most frequent tasks by keyboard alone', async (t) => {
  t.timeout(PATIENCE_MS * 2);
  const app = await startApp(t);
  const server = await startReview(t, app.url);
  const operator = await server.signIn('operator');
  const body = `email=jane%40${DOMAIN}`;
  const held = await server.signUp('/held', body);
  for (let n = 0; n < 6; n++)
    await server.signUp('/refused', `email=promo.user${1_000 + n}%40gatekeeper.dev`);
  const context = await (await openBrowser(t)).newContext();
  const [name = '', value = ''] = operator.cookie.split('=');
  await context.addCookies([{ name, value, url: server.url }]);
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  await page.goto(`${server.url}/overview`);

  t.log('finds a decision by its id');
  await page.keyboard.press('/');
  await page.keyboard.type(held);
  await enterHere(page, new RegExp(`/decisions/${held}$`));

  t.log('reads it');
  t.true(await page.getByRole('heading', { level: 1 }).isVisible());
  await page.keyboard.press('End');
  await page.waitForFunction('document.documentElement.scrollTop > 0');

  t.log('labels it');
  await enter(t, page, /^Label as fraud$/, /done=labelled/);
  t.is((await server.records.decisionSearch.find(held, null))?.label, 'fraud');

  t.log('denies its domain');
  await enter(t, page, /^Deny gatekeeper\.dev$/, /done=listed/);
  t.like(await entriesOf(server), {
    0: { list: 'deny', kind: 'domain', value: 'gatekeeper.dev' },
    length: 1,
  });

  t.log('lets the held signup in');
  await enter(t, page, /^Review/, /\/review$/);
  await page.keyboard.press('j');
  await enter(t, page, /^Let in/, /done=let-in/);
  t.deepEqual(
    app.arrived.map((arrived) => arrived.body.toString()),
    [body],
  );

  t.log('opens a campaign');
  await enter(t, page, /^Campaigns/, /\/campaigns$/);
  await page.keyboard.press('j');
  await enterHere(page, /\/campaigns\/one\?/);

  t.log('denies its pattern');
  await enter(t, page, /^Deny (?:this|the) pattern/, /\/campaigns\/deny-pattern$/);
  t.like(await entriesOf(server), { 0: { list: 'deny', kind: 'pattern' }, length: 2 });

  t.log('creates a key');
  await enter(t, page, /^Keys$/, /\/keys$/);
  await tabTo(t, page, /^Name$/);
  await page.keyboard.type('shop backend');
  await tabTo(t, page, /^Create the key$/);
  await page.keyboard.press('Enter');
  await page.waitForSelector('#new-key');
  t.deepEqual(
    (await server.records.apiKeys.list()).map((key) => key.name),
    ['shop backend'],
  );

  t.log('changes a list entry');
  await enter(t, page, /^Lists$/, /\/lists$/);
  await tabTo(t, page, /^Entries, one per line/);
  await page.keyboard.type('gatekeeper.dev');
  await tabTo(t, page, /^Ends$/);
  await page.keyboard.type('in 7');
  await enter(t, page, /^Add$/, /done=added/);
  const [changed, ...others] = await entriesOf(server);
  t.like(changed, { list: 'deny', kind: 'domain', value: 'gatekeeper.dev' });
  t.true((changed?.expiresAt ?? 0) > Date.now());
  t.is(others.length, 1);

  t.log('signs out');
  await tabTo(t, page, /^operator@example\.com$/);
  await page.keyboard.press('Enter');
  await enter(t, page, /^Sign out$/, /\/sign-in/);
  t.not((await operator.get('/overview')).status, 200);
});
