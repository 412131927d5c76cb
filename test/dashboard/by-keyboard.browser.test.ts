import test, { type ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { CHROMIUM, PATIENCE_MS } from '../helpers/browser.ts';
import { until } from '../helpers/until.ts';
import { doTasks, type Hands } from './ten-tasks.ts';

const testWithBrowser = CHROMIUM === null ? test.skip : test;
/** More than a page has fields, buttons and links. */
const MAX_TABS = 150;
/** In an error. The name of a whole page is its text. */
const LONGEST_NAME = 40;

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

const hands = (t: ExecutionContext): Hands => ({
  async 'find a decision by its id'({ page, held }) {
    await page.keyboard.press('/');
    await page.keyboard.type(held);
    await enterHere(page, new RegExp(`/decisions/${held}$`));
  },
  async 'read a decision'({ page }) {
    // A page that is not painted yet does not scroll.
    await until(async () => {
      await page.keyboard.press('End');
      return page.evaluate<boolean>('document.documentElement.scrollTop > 0');
    });
  },
  'label a decision': ({ page }) => enter(t, page, /^Label as fraud$/, /done=labelled/),
  'deny the domain of a decision': ({ page }) => enter(t, page, /^Deny gatekeeper\.dev$/, /done=listed/),
  async 'let a held signup in'({ page }) {
    await enter(t, page, /^Review/, /\/review$/);
    await page.keyboard.press('j');
    await enter(t, page, /^Let in/, /done=let-in/);
  },
  async 'open a campaign'({ page }) {
    await enter(t, page, /^Campaigns/, /\/campaigns$/);
    await page.keyboard.press('j');
    await enterHere(page, /\/campaigns\/one\?/);
  },
  'deny the pattern of a campaign': ({ page }) =>
    enter(t, page, /^Deny (?:this|the) pattern/, /\/campaigns\/deny-pattern$/),
  async 'create a key'({ page }) {
    await enter(t, page, /^Keys$/, /\/keys$/);
    await tabTo(t, page, /^Name$/);
    await page.keyboard.type('shop backend');
    await tabTo(t, page, /^Create the key$/);
    await page.keyboard.press('Enter');
    await page.waitForSelector('#new-key');
  },
  async 'change a list entry'({ page }) {
    await enter(t, page, /^Lists$/, /\/lists$/);
    await tabTo(t, page, /^Entries, one per line/);
    await page.keyboard.type('gatekeeper.dev');
    await tabTo(t, page, /^Expiry$/);
    await page.keyboard.type('in 7');
    await enter(t, page, /^Add$/, /done=added/);
  },
  async 'sign out'({ page }) {
    await tabTo(t, page, /^operator@example\.com$/);
    await page.keyboard.press('Enter');
    await enter(t, page, /^Sign out$/, /\/sign-in/);
  },
});

testWithBrowser('an operator does the ten most frequent tasks by keyboard alone', async (t) => {
  t.timeout(PATIENCE_MS * 2);
  await doTasks(t, hands(t), { javaScriptEnabled: true, width: 1_280 });
});
