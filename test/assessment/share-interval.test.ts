import test from 'ava';
import fc from 'fast-check';
import { intervalOf } from '../../src/assessment/share-interval.ts';

const round = ({ low, high }: ReturnType<typeof intervalOf>) => [low, high].map((n) => Number(n.toFixed(3)));

test('the interval is that of Wilson', (t) => {
  t.deepEqual(round(intervalOf(2, 40)), [0.014, 0.165]);
  t.deepEqual(round(intervalOf(50, 100)), [0.404, 0.596]);
});

test('without cases everything is open, and without a hit zero is possible', (t) => {
  t.deepEqual(intervalOf(0, 0), { low: 0, high: 1 });
  t.deepEqual(round(intervalOf(0, 10)), [0, 0.278]);
  t.deepEqual(round(intervalOf(10, 10)), [0.722, 1]);
});

test('the share lies in its interval, and more cases make the interval narrower', (t) => {
  const counts = fc
    .integer({ min: 1, max: 1_000_000 })
    .chain((whole) => fc.tuple(fc.integer({ min: 0, max: whole }), fc.constant(whole)));
  fc.assert(
    fc.property(counts, ([part, whole]) => {
      const few = intervalOf(part, whole);
      const many = intervalOf(part * 4, whole * 4);
      const share = part / whole;
      return few.low <= share && share <= few.high && many.high - many.low <= few.high - few.low;
    }),
  );
  t.pass();
});
