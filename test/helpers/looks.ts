import type { ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { type RuleSet, violationsOn } from './axe.ts';
import { IS_FULL_PROOF } from './full-proof.ts';

/** Set this to an existing folder to save a picture of each page in each look. */
const SCREENSHOTS = process.env.SCREENSHOTS ?? null;

/** The themes on a phone and on a desk. */
export const LOOKS = [
  { theme: 'light', width: 360 },
  { theme: 'dark', width: 360 },
  { theme: 'light', width: 1_280 },
  { theme: 'dark', width: 1_280 },
] as const;

/** Both themes and both widths. A page in all four looks takes seconds. */
const PAIRS = [
  [LOOKS[0], LOOKS[3]],
  [LOOKS[1], LOOKS[2]],
] as const;

/** All looks in the full proof and for pictures, else a pair. The pair changes from page to page. */
function looksAt(name: string): readonly (typeof LOOKS)[number][] {
  return IS_FULL_PROOF || SCREENSHOTS !== null ? LOOKS : PAIRS[name.length % 2 === 0 ? 0 : 1];
}

/**
 * What is wrong with a page in one of the looks, one line each: what axe finds, and a page wider than its window. The context
 * of the page needs `bypassCSP`, for axe.
 *
 * @param name In a line and in the name of a picture.
 */
export async function faultsOf(page: Page, name: string, rules?: RuleSet): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const { theme, width } of looksAt(name)) {
    // Without transitions: a colour on its way from one theme to the other is neither.
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 800 });
    const place = `${name} ${theme} ${width}`;
    faults.push(...(await violationsOn(page, rules)).map((violation) => `${place}: ${violation}`));
    if (await page.evaluate('document.documentElement.scrollWidth > innerWidth'))
      faults.push(`${place}: wider than its window`);
    if (SCREENSHOTS !== null)
      await page.screenshot({ path: `${SCREENSHOTS}/${place.replace(/\W+/g, '-')}.png`, fullPage: true });
  }
  return faults;
}

/** Asserts that {@link faultsOf} finds nothing. */
export async function lookAt(t: ExecutionContext, page: Page, name: string, rules?: RuleSet): Promise<void> {
  t.deepEqual(await faultsOf(page, name, rules), []);
}
