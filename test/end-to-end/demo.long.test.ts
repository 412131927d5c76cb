import test, { type ExecutionContext } from 'ava';
import { violationsOn } from '../helpers/axe.ts';
import { CHROMIUM, openBrowser } from '../helpers/browser.ts';
import { type StartingDemo, startDemo } from '../helpers/demo-process.ts';
import { until } from '../helpers/until.ts';

/** Set this to an existing folder to save screenshots. */
const SCREENSHOTS = process.env.SCREENSHOTS ?? null;
/** One after the other, with one demo: it is three busy processes. */
const testWithBrowser = CHROMIUM === null ? test.skip : test.serial;
const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

/** A decision as the dashboard exports it. */
interface Stored {
  readonly request_id: string;
  readonly action: 'forward' | 'verify' | 'block';
  readonly wanted_action: 'forward' | 'verify' | 'block';
  readonly mode: string;
  readonly email: string;
}

/** Texts of numbers. */
type SaidCounts = Readonly<Record<'sent' | 'letIn' | 'toVerify' | 'refused' | 'wouldStop', string>>;

let demo: StartingDemo | null = null;
const teardowns: (() => unknown)[] = [];
test.after.always('the demo ends', async () => {
  for (const teardown of teardowns.toReversed()) await teardown();
});

async function openDemo(t: ExecutionContext) {
  demo ??= await startDemo({ teardown: (work) => void teardowns.push(work) });
  const link = await demo.link;
  const browser = await openBrowser(t, { isJudged: true });
  const context = await browser.newContext({ userAgent: USER_AGENT, bypassCSP: true });
  const page = await context.newPage();
  await page.goto(link);
  await page.locator('[data-rows] li').first().waitFor();

  async function stored(): Promise<readonly Stored[]> {
    const answer = await context.request.get(new URL('/decisions/export.ndjson', link).href);
    return (await answer.text())
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Stored);
  }

  /** Presses a button. Returns what the page says, and the decisions that were stored meanwhile. */
  async function press(kind: string) {
    const before = new Set((await stored()).map(({ request_id }) => request_id));
    const button = page.locator(`[data-sender="${kind}"]`);
    await button.click();
    await until(() => button.isEnabled());
    const result = page.locator('[data-result]');
    const read = (expression: string) => page.evaluate(`(() => ${expression})()`);
    const said = (await read('({ ...document.querySelector("[data-result]").dataset })')) as SaidCounts;
    const links = (await read(
      '[...document.querySelectorAll("[data-result] a")].map((link) => link.getAttribute("href"))',
    )) as string[];
    const made = (await stored()).filter(({ request_id }) => !before.has(request_id));
    return { said, made, text: (await result.textContent()) ?? '', links };
  }

  async function choose(mode: string) {
    await page.locator(`[name="mode"][value="${mode}"]`).check({ force: true });
    await until(() => page.locator('[name="mode"]').first().isEnabled());
    t.true(await page.locator(`[name="mode"][value="${mode}"]`).isChecked());
  }

  return { link, context, page, stored, press, choose };
}

const count = (decisions: readonly Stored[], action: Stored['action']) =>
  decisions.filter((decision) => decision.action === action).length;

testWithBrowser('the page is whole on a phone and a desk, in light and dark, and shows a week', async (t) => {
  const { page, stored, press } = await openDemo(t);
  const week = await stored();
  const days = new Set(week.map(({ request_id }) => request_id.slice(0, 4)));
  t.true(week.length > 1_000 && days.size > 0);
  for (const action of ['forward', 'verify', 'block'] as const) t.true(count(week, action) > 50, action);
  const totals = (await page.locator('[data-totals] dd').allTextContents()).map((text) =>
    Number(text.replace(',', '')),
  );
  t.deepEqual(totals, [week.length, count(week, 'forward'), count(week, 'verify'), count(week, 'block')]);
  await press('burners');
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [width, height] of [
      [1280, 900],
      [360, 800],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height });
      t.deepEqual(await violationsOn(page), [], `${colorScheme} ${width}`);
      t.false(
        await page.evaluate('document.documentElement.scrollWidth > innerWidth'),
        `${colorScheme} ${width}`,
      );
      if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/demo-${colorScheme}-${width}.png` });
    }
  }
});

testWithBrowser('every button says what really happened, and its links lead there', async (t) => {
  const { context, page, link, press } = await openDemo(t);
  const expected = {
    customer: /^Let in/,
    typo: /^Held until the mailbox is confirmed/,
    datacenter: /^5 of 5 stopped/,
    burners: /^30 of 30 stopped: 30 refused/,
    campaign: /^\d+ of 30 stopped: \d+ must confirm a mailbox/,
  };
  t.is(await page.locator('[data-sender]').count(), Object.keys(expected).length);
  for (const [kind, pattern] of Object.entries(expected)) {
    const { said, made, text, links } = await press(kind);
    t.regex(text, pattern, kind);
    t.is(made.length, Number(said.sent), kind);
    t.is(count(made, 'forward'), Number(said.letIn), kind);
    t.is(count(made, 'verify'), Number(said.toVerify), kind);
    t.is(count(made, 'block'), Number(said.refused), kind);
    t.true(links.length > 0, kind);
    for (const href of links) {
      const answer = await context.request.get(new URL(href, link).href);
      t.is(answer.status(), 200, href);
      t.is(new URL(answer.url()).pathname, new URL(href, link).pathname, 'no detour to the sign-in page');
    }
    const newest = page.locator('[data-rows] li').first();
    await until(async () =>
      made.map(({ request_id }) => request_id).includes((await newest.getAttribute('data-id')) ?? ''),
    );
  }
});

testWithBrowser('the switches reload the configuration of the gate', async (t) => {
  const { press, choose, page } = await openDemo(t);
  await choose('monitor');
  const watched = await press('burners');
  t.regex(watched.text, /^30 of 30 let in: monitor mode stops nothing\. Normal mode would have stopped 30/);
  t.deepEqual([watched.made.length, count(watched.made, 'forward')], [30, 30]);
  t.true(watched.made.every(({ mode, wanted_action }) => mode === 'monitor' && wanted_action === 'block'));
  t.regex((await page.locator('[data-yaml]').last().textContent()) ?? '', /mode: monitor/);

  await choose('attack');
  const suspected = await press('customer');
  t.regex(suspected.text, /^Held until the mailbox is confirmed/);
  t.deepEqual(
    suspected.made.map(({ action, mode }) => [action, mode]),
    [['verify', 'enforce']],
  );

  await choose('stricter');
  t.regex((await press('burners')).text, /^30 of 30 stopped/);
  await choose('normal');
  t.regex((await press('customer')).text, /^Let in/);
});

testWithBrowser(
  'a visitor of the shop is let in, another refused, a third confirms with the mail in the mailbox',
  async (t) => {
    const { page, context, link, stored } = await openDemo(t);
    const answer = page.locator('[data-answer]');
    await page.locator('[data-try="ada@mailinator.com"]').click();
    await answer.getByText('We could not complete your sign-up').waitFor();
    await page.locator('[data-try="ada.lovelace@gmail.com"]').click();
    await answer.getByText('Your account is ready').waitFor();

    await page.getByLabel('Name').fill('<b>Jane</b>');
    await page.getByLabel('Email').fill('jane.doe@gmial.com');
    await page.getByRole('button', { name: 'Sign up' }).click();
    const mailbox = await context.newPage();
    await answer.getByRole('link', { name: 'Open the mailbox' }).waitFor();
    await mailbox.goto(new URL('/mailbox', link).href);
    const [code = ''] = /\d{6}/.exec((await mailbox.textContent('article')) ?? '') ?? [];
    await answer.getByRole('link', { name: 'Enter the code' }).click();
    await page.getByLabel('Code').fill(code);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Welcome, <b>Jane</b>').waitFor();

    await page.goto(link);
    await page.getByText('<b>Jane</b> (mailbox confirmed), Ada Lovelace').waitFor();
    const actions = Object.fromEntries(
      (await stored()).slice(0, 3).map(({ email, action }) => [email, action]),
    );
    t.deepEqual(actions, {
      'ada@mailinator.com': 'block',
      'ada.lovelace@gmail.com': 'forward',
      'jane.doe@gmial.com': 'verify',
    });
  },
);
