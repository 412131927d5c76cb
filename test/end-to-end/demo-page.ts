import test, { type ExecutionContext } from 'ava';
import { CHROMIUM, openBrowser } from '../helpers/browser.ts';
import { type StartingDemo, startDemo } from '../helpers/demo-process.ts';
import { until } from '../helpers/until.ts';

/** One after the other, with one demo: it is three busy processes. */
export const testWithBrowser = CHROMIUM === null ? test.skip : test.serial;
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

/** The page of the demo in a browser. All tests of a process share the demo. */
export async function openDemo(t: ExecutionContext) {
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

export const count = (decisions: readonly Stored[], action: Stored['action']) =>
  decisions.filter((decision) => decision.action === action).length;
