import test from 'ava';
import { weighHardRows } from '../../../scripts/train/hard-rows.ts';

/** The last fifty of a thousand rows are positive; the others have the scores 0 to 94.9. */
const scores = Float64Array.from({ length: 1_000 }, (_, i) => i / 10);
const isPositive = Uint8Array.from(scores, (_, i) => (i >= 950 ? 1 : 0));
const weights = new Float64Array(1_000).fill(2);
const weighed = weighHardRows({ columns: [], isPositive, weights }, scores);

test('negative rows with the highest scores count up to five times, the others once', (t) => {
  t.true((weighed[949] ?? 0) > 9.5 && (weighed[949] ?? 0) <= 10);
  t.true(Math.abs((weighed[0] ?? 0) - 2) < 1e-9);
  t.is(weighed.filter((weight, row) => weight > 6 && isPositive[row] === 0).length, 28);
});

test('positive rows keep their weight', (t) => {
  t.true(weighed.subarray(950).every((weight) => weight === 2));
});

test('a table without negative rows keeps its weights', (t) => {
  const all = { columns: [], isPositive: new Uint8Array(5).fill(1), weights: new Float64Array(5).fill(3) };
  t.deepEqual(weighHardRows(all, new Float64Array(5)), all.weights);
});
