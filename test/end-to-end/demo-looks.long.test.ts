import { violationsOn } from '../helpers/axe.ts';
import { count, openDemo, testWithBrowser } from './demo-page.ts';

/** Set this to an existing folder to save screenshots. */
const SCREENSHOTS = process.env.SCREENSHOTS ?? null;

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
