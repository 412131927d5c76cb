import test from 'ava';
import { updateDetectionPage } from '../../../scripts/evaluate/detection-page.ts';
import type { Measurement } from '../../../scripts/evaluate/measurement.ts';

const marked = (name: string, lines = '') =>
  `<!-- ${name}: npm run evaluate -- --docs -->\n${lines}\n<!-- end of ${name} -->\n`;
const OLD = [
  '| data set | counted | samples | share (95 % interval) | target | whole medium | whole high | day |',
  '| --- | --- | --- | --- | --- | --- | --- | --- |',
  '| crawlers | x | 1 | 1 % | | | | 2026-01-01 |',
  '| addresses of a VPN service, without feeds | x | 2 | 50 % | | | | 2026-01-02 |',
  '| a row that is no longer measured | x | 3 | 3 % | | | | 2026-01-03 |',
].join('\n');
const PAGE = `# Page\n\n${marked('figures', OLD)}Notes.\n${marked('probabilities')}${marked('campaigns')}${marked('people')}The end.\n`;

function row(set: string, counted: string, hits: number): Measurement {
  const whole = { medium: 0.25, high: 0.001 };
  const target = { bound: 'at_least', share: 0.9 } as const;
  return { set, counted, population: 2_000, hits, target, whole, reasons: {}, apart: [], wrong: [] };
}

const FIGURES = {
  measurements: [
    row('crawler-user-agents', 'user_agent medium or high', 1_990),
    row('people, shop: ten ordinary days', 'verification', 1),
    row('people, shop: ten ordinary days', 'refused', 0),
    row('campaign, fixed limits alone: ten digits', 'medium or high', 0),
    row('campaign, and styles: ten digits', 'medium or high', 2_000),
  ],
  reliability: [
    { half: 'development', from: 0.9, to: 1, burners: 2_113, clean: 2, predicted: 0.9713, observed: null },
  ],
  day: '2026-11-26',
  missingFiles: ['vpn-addresses.txt'],
} as const;

test('each table has the rows of the run, with shares, intervals and targets', (t) => {
  const page = updateDetectionPage(PAGE, FIGURES);
  const has = (line: string) => t.true(page.includes(`\n${line}\n`), `${line}\n\n${page}`);
  has(
    '| crawlers | user_agent medium or high | 2,000 | 99.5 % (99.1 % to 99.7 %) | ≥ 90 % | 25 % | 0.1 % | 2026-11-26 |',
  );
  has('| development | 90 % to 100 % | 2,113 | 2 | 97.1 % |  |');
  has('| ten digits | 2,000 | 0 % | 100 % (99.8 % to 100 %) | ≥ 90 % |');
  has('| shop: ten ordinary days | 2,000 | 0.05 % (0.01 % to 0.28 %) | ≥ 90 % | 0.1 % |');
  t.true(page.startsWith('# Page\n') && page.includes('Notes.\n') && page.endsWith('The end.\n'));
});

test('a row whose set was missing keeps its line and day, and a row that is gone does not', (t) => {
  const page = updateDetectionPage(PAGE, FIGURES);
  t.true(page.includes('| addresses of a VPN service, without feeds | x | 2 | 50 % |  |  |  | 2026-01-02 |'));
  t.false(page.includes('no longer measured'));
  const fetched = updateDetectionPage(page, { ...FIGURES, missingFiles: [] });
  t.false(fetched.includes('VPN'));
});

test('a run without the probabilities keeps their table', (t) => {
  const page = updateDetectionPage(PAGE, FIGURES);
  t.is(updateDetectionPage(page, { ...FIGURES, reliability: [] }), page);
});

test('the same run writes the same page, and a page without the marks is refused', (t) => {
  const page = updateDetectionPage(PAGE, FIGURES);
  t.is(updateDetectionPage(page, FIGURES), page);
  t.throws(() => updateDetectionPage('# Page\n', FIGURES), {
    message: /docs\/detection\.md has no "<!-- figures/,
  });
});
