import test from 'ava';
import fc from 'fast-check';
import { surgeStrength } from '../../../src/counters/cohorts/surge.ts';
import { rounds } from '../../helpers/rounds.ts';

const settings = { signups: 10, timesUsual: 2.2 };

test('a rare style that comes often and crowds out the others is a surge', (t) => {
  t.true(surgeStrength({ count: 20, ofGroup: 64, share: 0.02, expected: 0.5 }, settings) > 14);
});

test('a crowd that brings all styles in their usual shares is no surge, however large it is', (t) => {
  t.is(surgeStrength({ count: 300, ofGroup: 1024, share: 0.3, expected: 10 }, settings), 0);
});

test('a style that becomes common slowly is no surge', (t) => {
  t.is(surgeStrength({ count: 40, ofGroup: 64, share: 0.1, expected: 30 }, settings), 0);
});

test('fewer signups than configured are no surge', (t) => {
  t.is(surgeStrength({ count: 9, ofGroup: 9, share: 0.001, expected: 0.001 }, settings), 0);
  t.is(
    surgeStrength({ count: 20, ofGroup: 64, share: 0.02, expected: 0.5 }, { ...settings, signups: 21 }),
    0,
  );
  t.is(
    surgeStrength({ count: 20, ofGroup: 64, share: 0.02, expected: 0.5 }, { ...settings, timesUsual: 41 }),
    0,
  );
});

test('more signups of a style are never less surprising, and every strength is a number', (t) => {
  const counts = fc.record({
    count: fc.integer({ min: 0, max: 1023 }),
    others: fc.integer({ min: 0, max: 1023 }),
    share: fc.double({ min: 0.0001, max: 0.98, noNaN: true }),
    expected: fc.double({ min: 1e-6, max: 1e4, noNaN: true }),
  });
  t.notThrows(() =>
    fc.assert(
      fc.property(counts, ({ count, others, share, expected }) => {
        const of = (k: number) =>
          surgeStrength({ count: k, ofGroup: Math.max(1, k + others), share, expected }, settings);
        const [strength, more] = [of(count), of(count + 1)];
        return Number.isFinite(strength) && strength >= 0 && more >= strength;
      }),
      { numRuns: rounds(2_000) },
    ),
  );
});
