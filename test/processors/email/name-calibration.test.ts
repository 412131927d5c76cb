import test from 'ava';
import { calibrate } from '../../../scripts/train/calibrate.ts';
import { logRatioOf } from '../../../src/processors/email/name-calibration.ts';

const points = [
  { score: -1, logRatio: -2 },
  { score: 1, logRatio: 2 },
  { score: 2, logRatio: 5 },
];

for (const [score, ratio] of [
  [-9, -2],
  [-1, -2],
  [0, 0],
  [1, 2],
  [1.5, 3.5],
  [2, 5],
  [9, 5],
] as const) {
  test(`a score of ${score} lies at ${ratio} of the curve`, (t) => {
    t.is(logRatioOf(points, score), ratio);
  });
}

test('a curve of one point is flat, and no curve is no evidence', (t) => {
  t.is(logRatioOf([{ score: 0, logRatio: 1 }], 9), 1);
  t.is(logRatioOf([{ score: 0, logRatio: 1 }], -9), 1);
  t.is(logRatioOf([], 1), 0);
});

test('the trained curve rises from evidence for an ordinary name to evidence against it', (t) => {
  const spread = (from: number, to: number, count: number) =>
    Array.from({ length: count }, (_, i) => from + ((to - from) * i) / count);
  const burners = [...spread(-5, 4, 500), ...spread(2, 4, 500)];
  const clean = [spread(-6, 0, 1_000), [...spread(-6, 0, 995), 3.5, 3.5, 3.5, 3.5, 3.5]];
  const curve = calibrate(burners, clean);
  t.true(logRatioOf(curve, -6) < 0);
  t.true(logRatioOf(curve, 2.5) > 2);
  for (const [i, { score, logRatio }] of curve.entries()) {
    t.true(i === 0 || (score > (curve[i - 1]?.score ?? 0) && logRatio >= (curve[i - 1]?.logRatio ?? 0)));
    t.true(Number.isFinite(logRatio));
  }
});
