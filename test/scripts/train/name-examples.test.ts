import test from 'ava';
import { findKnownSites } from '../../../scripts/train/find-known-sites.ts';
import {
  foldOf,
  isHeldBack,
  isHeldBackFromCuts,
  mergeExamples,
} from '../../../scripts/train/name-examples.ts';
import type { TrainingList } from '../../../scripts/train/training-domains.ts';

const list = (
  world: TrainingList['world'],
  { isCurated, weight, domains }: Pick<TrainingList, 'isCurated' | 'weight' | 'domains'>,
): TrainingList => ({
  name: `${world} ${weight}`,
  version: '1.0.0',
  licence: 'MIT',
  world,
  isCurated,
  weight,
  domains,
});

const LISTS = [
  list('earlier_burners', { isCurated: true, weight: 1, domains: ['dropped.com', 'gone.ga'] }),
  list('hosts', { isCurated: true, weight: 0.3, domains: ['ad9x7.xyz', 'dropped.com'] }),
  list('burners', { isCurated: true, weight: 10, domains: ['burner.ml', 'temp-mail.org'] }),
  list('burners', {
    isCurated: false,
    weight: 0.5,
    domains: ['burner.ml', 'facebook.com', 'wide.tk', 'both.tk'],
  }),
  list('burners', { isCurated: false, weight: 0.2, domains: ['both.tk', 'wide.tk'] }),
  list('sites', {
    isCurated: true,
    weight: 0.6,
    domains: ['facebook.com', 'temp-mail.org', 'both.tk', 'shop.de'],
  }),
  list('organisations', { isCurated: true, weight: 2, domains: ['shop.de', 'xn--80ak6aa92e.com'] }),
  list('schools', { isCurated: true, weight: 2, domains: ['uni-bonn.de'] }),
];

test('a name on a curated burner list is a burner, and one on a wide and a clean list is neither', (t) => {
  const examples = mergeExamples(LISTS);
  t.deepEqual(examples.map(({ name, isBurner, weight, counts }) => [name, isBurner, weight, counts]).sort(), [
    ['ad9x7.xyz', false, 0.3, [0, 0, 0, 0]],
    ['burner.ml', true, 10, [1, 1, 0, 0]],
    ['dropped.com', true, 1, [0, 1, 0, 0]],
    ['gone.ga', true, 1, [0, 1, 0, 0]],
    ['shop.de', false, 2, [0, 0, 0, 1]],
    ['temp-mail.org', true, 10, [1, 1, 0, 0]],
    ['uni-bonn.de', false, 2, [0, 0, 0, 0]],
    ['wide.tk', true, 0.5, [0, 1, 0, 0]],
  ]);
});

test('for the trees, names of wide lists alone count less, and names that both kinds have half', (t) => {
  const examples = new Map(mergeExamples(LISTS).map((example) => [example.name, example]));
  t.is(examples.get('wide.tk')?.treeWeight, 0.15);
  t.is(examples.get('burner.ml')?.treeWeight, 5);
  t.is(examples.get('temp-mail.org')?.treeWeight, 10);
  t.is(examples.get('shop.de')?.treeWeight, 2);
  t.is(examples.get('wide.tk')?.isCurated, false);
  t.is(examples.get('dropped.com')?.isCurated, true);
});

test('a known site may be on one wide list, and on no curated one and no second wide one', (t) => {
  t.deepEqual([...findKnownSites(LISTS)].sort(), [
    'ad9x7.xyz',
    'dropped.com',
    'facebook.com',
    'shop.de',
    'xn--80ak6aa92e.com',
  ]);
});

test('about a tenth of all names is held back, and the rest is spread over the folds', (t) => {
  const names = Array.from({ length: 5_000 }, (_, i) => `name-${i}.com`);
  const held = names.filter(isHeldBack).length;
  t.true(held > 400 && held < 620);
  t.true(names.filter(isHeldBack).every(isHeldBackFromCuts));
  const fromCuts = names.filter(isHeldBackFromCuts).length;
  t.true(fromCuts > 1_100 && fromCuts < 1_400);
  const folds = new Map<number, number>();
  for (const name of names) folds.set(foldOf(name, 5), (folds.get(foldOf(name, 5)) ?? 0) + 1);
  t.deepEqual([...folds.keys()].sort(), [0, 1, 2, 3, 4]);
  t.true([...folds.values()].every((count) => count > 800));
});
