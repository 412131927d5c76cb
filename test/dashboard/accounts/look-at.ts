import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { ExecutionContext } from 'ava';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Checks a page in both themes, on a small and a large screen. The page needs `bypassCSP`, for axe. */
export async function lookAt(t: ExecutionContext, page: Page, name: string): Promise<void> {
  for (const [colorScheme, width] of [
    ['light', 360],
    ['dark', 360],
    ['light', 1_280],
    ['dark', 1_280],
  ] as const) {
    // Without transitions: a colour on its way from one theme to the other is neither.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 800 });
    t.true(Boolean(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')), name);
    await page.evaluate(AXE);
    const { violations } = (await page.evaluate('axe.run()')) as AxeResults;
    t.deepEqual(
      violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
      [],
      `${name}, ${colorScheme}, ${width}`,
    );
  }
}
