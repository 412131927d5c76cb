import test from 'ava';
import { chooseThreshold, shareTable, thresholdFor } from '../../../scripts/train/name-thresholds.ts';
import type { DomainName } from '../../../src/addresses/email-address.ts';

/** Scores a name by its number: `s17.com` has 17. */
const model = { score: ({ ascii }: DomainName) => Number(/\d+/.exec(ascii)?.[0] ?? 0) };
const numbered = (count: number) => Array.from({ length: count }, (_, i) => `s${i + 1}.com`);

test('the threshold is the lowest score that the allowed share reaches', (t) => {
  const scores = Array.from({ length: 100 }, (_, i) => i + 1);
  t.is(thresholdFor(scores, 0.05), 96);
  t.is(thresholdFor(scores, 0), Number.POSITIVE_INFINITY);
  t.is(thresholdFor([], 0.05), Number.POSITIVE_INFINITY);
});

test('equal scores are reached together or not at all', (t) => {
  t.is(thresholdFor([9, 5, 5, 5, 5, 1, 1, 1, 1, 1], 0.2), 9);
});

test('the strictest world decides, and a world without a share does not', (t) => {
  const worlds = [
    { name: 'a', names: numbered(100), allowed: 0.1 },
    { name: 'b', names: numbered(100), allowed: 0.02 },
    { name: 'c', names: ['s1000.com'], allowed: null },
  ];
  t.is(chooseThreshold(worlds, model), 99);
  t.deepEqual(shareTable(worlds, model, { strict: 99, loose: 91 }), [
    { world: 'a', names: 100, strict: 2, loose: 10 },
    { world: 'b', names: 100, strict: 2, loose: 10 },
    { world: 'c', names: 1, strict: 100, loose: 100 },
  ]);
});
