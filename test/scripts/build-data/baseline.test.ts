import test from 'ava';
import { type Baseline, baselineMistakes, dateOf } from '../../../scripts/build-data/baseline.ts';
import type { DataSource } from '../../../scripts/build-data/npm-package.ts';
import { acceptedBaseline } from '../../../scripts/build-data/publication-dates.ts';

const baseline: Baseline = { list: { version: '1.0.0', date: '2026-09-01', count: 1_000 } };
const source = (count: number, name = 'list'): DataSource => ({
  name,
  version: '2.0.0',
  licence: 'MIT',
  count,
});

const cases: [what: string, given: DataSource, mistake: RegExp | null][] = [
  ['as many entries', source(1_000), null],
  ['more entries', source(5_000), null],
  ['a fifth less', source(800), null],
  ['more than a fifth less', source(799), /^list 2\.0\.0 has 799 entries; 1\.0\.0 had 1000\. It shrank/],
  ['no entries', source(0), /has no entries/],
  ['a source nobody agreed to', source(10, 'other'), /other 2\.0\.0 \(10 entries\) is not in the baseline/],
];

for (const [what, given, mistake] of cases) {
  test(`a build with ${what} ${mistake ? 'fails' : 'goes on'}`, (t) => {
    const mistakes = baselineMistakes([given], baseline);
    if (mistake === null) t.deepEqual(mistakes, []);
    else t.regex(mistakes.join('\n'), mistake);
  });
}

test('accepting keeps what is known of a version and takes the new count', (t) => {
  const same = { ...source(500), version: '1.0.0' };
  const dated = { ...source(7, 'dated'), date: '2026-11-12' };
  t.deepEqual(acceptedBaseline([same, dated], baseline), {
    list: { version: '1.0.0', date: '2026-09-01', count: 500 },
    dated: { version: '2.0.0', date: '2026-11-12', count: 7 },
  });
});

test('the date of a source is its own, or that of the package', (t) => {
  t.is(dateOf({ ...source(1), date: '2026-11-12' }, baseline), '2026-11-12');
  t.is(dateOf(source(1), baseline), '2026-09-01');
});
