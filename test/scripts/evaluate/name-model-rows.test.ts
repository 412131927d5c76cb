import test from 'ava';
import fc from 'fast-check';
import { thresholdAt } from '../../../scripts/evaluate/name-model-rows.ts';

const named = (scores: readonly number[]) => scores.map((score) => ({ name: 'clean.example', score }));

test('at most one clean name in a hundred reaches the threshold, whatever their scores', (t) => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -5, max: 5 }), { minLength: 1, maxLength: 500 }), (scores) => {
      const threshold = thresholdAt(named(scores));
      t.true(scores.filter((score) => score >= threshold).length <= scores.length * 0.01);
    }),
    { numRuns: 200, seed: 3 },
  );
});

test('the threshold is as low as that allows', (t) => {
  const scores = Array.from({ length: 200 }, (_, index) => index);
  t.is(thresholdAt(named(scores)), 198);
});
