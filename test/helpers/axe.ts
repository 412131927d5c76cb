import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const COMMON = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The pages of visitors meet the higher contrast of WCAG's level AAA too. */
const RULES = { staff: COMMON, visitors: [...COMMON, 'wcag2aaa'] } as const;
export type RuleSet = keyof typeof RULES;

/** What axe finds wrong with the page, one line each. Its browser context has to bypass the page's policy of content. */
export async function violationsOn(page: Page, rules: RuleSet = 'staff'): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE);
  const options = { runOnly: RULES[rules], resultTypes: ['violations'], preload: false, selectors: false };
  const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as AxeResults;
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .map(({ html }) => html)
        .slice(0, 3)
        .join(' ')}`,
  );
}
