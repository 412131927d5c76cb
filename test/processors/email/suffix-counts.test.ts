import test from 'ava';
import { type SuffixTable, suffixFactsOf, topLevelKey } from '../../../src/processors/email/suffix-counts.ts';

const table: SuffixTable = {
  '.': [100, 1_000, 1_000, 100],
  ml: [40, 300, 2, 0],
  de: [1, 10, 300, 50],
  'co.uk': [0, 4, 100, 20],
  '.ml': [40, 300, 2, 0],
  '.de': [1, 10, 300, 50],
  '.uk': [0, 4, 150, 20],
};

test('a suffix with many throwaway names has higher odds than one with many sites', (t) => {
  const [ml = 0, mlBurners = 0] = suffixFactsOf(table, 'ml');
  const [de = 0, deBurners = 0] = suffixFactsOf(table, 'de');
  t.true(ml > 0 && mlBurners > 0);
  t.true(de < 0 && deBurners < 0);
});

test('an unknown suffix, and one that is called like a property of all objects, says nothing', (t) => {
  const [curated = 1, burners = 1, , , burnerCount, cleanCount] = suffixFactsOf(table, 'nowhere');
  t.true(Math.abs(curated) < 3 && Math.abs(burners) < 0.1);
  t.is(burnerCount, 0);
  t.is(cleanCount, 0);
  t.deepEqual(suffixFactsOf(table, 'constructor'), suffixFactsOf(table, 'nowhere'));
});

test('a suffix with fewer than three names is like an unknown one', (t) => {
  const rare: SuffixTable = { ...table, rare: [1, 2, 0, 0], three: [1, 3, 0, 0] };
  t.deepEqual(suffixFactsOf(rare, 'rare'), suffixFactsOf(table, 'nowhere'));
  t.notDeepEqual(suffixFactsOf(rare, 'three'), suffixFactsOf(table, 'nowhere'));
});

test('the top-level domain of a suffix is its last label', (t) => {
  t.is(topLevelKey('co.uk'), '.uk');
  t.is(topLevelKey('com'), '.com');
});
