import test from 'ava';
import { halfOf } from '../../../scripts/evaluate/reliability.ts';
import { type Cut, laterNames, listsOfDay } from '../../../scripts/train/later-names.ts';
import { isHeldBack } from '../../../scripts/train/name-examples.ts';
import type { TrainingList } from '../../../scripts/train/training-domains.ts';

const CUT: Cut = {
  known: ['blocklist 1.0.0', 'filter 0.1.0', 'filter 0.2.0'],
  later: ['blocklist 2.0.0', 'filter 0.3.0'],
};

const base = { licence: 'MIT', weight: 5, isCurated: true } as const;
const filter = (version: string, domains: readonly string[]): TrainingList => ({
  ...{ ...base, name: 'filter', version, world: 'earlier_burners', domains },
});
const blocklist = (version: string, domains: readonly string[]): TrainingList => ({
  ...{ ...base, name: 'blocklist', version, world: 'burners', domains },
});

const LISTS = [
  blocklist('1.0.0', ['old.top']),
  filter('0.1.0', ['older.ga']),
  filter('0.2.0', ['known.xyz']),
  filter('0.3.0', ['known.xyz', 'wide.tk', 'shop.de', 'mail7.site', 'mail81.site', 'tail.site']),
  blocklist('2.0.0', ['old.top', 'older.ga', 'next.icu', 'mail-free-1.dynv6.net']),
  { ...base, name: 'wide', version: '1', world: 'burners', isCurated: false, domains: ['wide.tk'] },
  { ...base, name: 'visited', version: '1', world: 'sites', domains: ['shop.de'] },
] as const satisfies readonly TrainingList[];

test('a cut has the versions of its day, and the last of each list counts as the current one', (t) => {
  t.deepEqual(
    listsOfDay(LISTS, CUT).map(({ name, version, world, weight }) => [name, version, world, weight]),
    [
      ['blocklist', '1.0.0', 'burners', 10],
      ['filter', '0.1.0', 'earlier_burners', 5],
      ['filter', '0.2.0', 'burners', 10],
      ['wide', '1', 'burners', 5],
      ['visited', '1', 'sites', 5],
    ],
  );
});

test('later names are on no list of that day, under an ordinary suffix, one for each pattern of digits', (t) => {
  t.deepEqual(laterNames(LISTS, CUT), ['mail7.site', 'next.icu', 'tail.site']);
});

test('names that are held aside from tuning are no later names', (t) => {
  const names = Array.from(
    { length: 2_000 },
    (_, i) => `a${i.toString(36).replace(/\d/g, 'x')}${'bcdfg'[i % 5]}.com`,
  );
  const lists = [...LISTS, { ...blocklist('2.0.0', names) }];
  const aside = new Set(names.filter((name) => isHeldBack(name) && halfOf(name) === 'held aside'));
  t.true(aside.size > 0);
  t.deepEqual(
    laterNames(lists, CUT).filter((name) => aside.has(name)),
    [],
  );
});
