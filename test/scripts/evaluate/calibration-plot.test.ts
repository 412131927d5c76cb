import test from 'ava';
import { toCalibrationPlot } from '../../../scripts/evaluate/calibration-plot.ts';
import type { ReliabilityBand } from '../../../scripts/evaluate/reliability.ts';

const band = (more: Partial<ReliabilityBand>): ReliabilityBand => ({
  ...{ half: 'development', from: 0, to: 0.5, burners: 10, clean: 90, predicted: 0.2, observed: 0.1 },
  ...more,
});

test('each band with domains has a mark where its shares are, with its figures', (t) => {
  const plot = toCalibrationPlot([
    band({}),
    band({ half: 'held aside', predicted: 1, observed: 1, burners: 4_000, clean: 0 }),
    band({ predicted: null, observed: null, burners: 0, clean: 0 }),
  ]);
  const marks = [...plot.matchAll(/<circle class="mark (.)" cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)">/g)];
  t.is(marks.length, 2);
  const [[, first = '', left, low, small] = [], [, second, right, high, large] = []] = marks;
  t.deepEqual([first, second], ['a', 'b']);
  t.is(Number(right) - Number(left), 0.8 * 360);
  t.is(Number(low) - Number(high), 0.9 * 360);
  t.true(Number(large) > Number(small));
  t.regex(plot, /<title>20 % predicted, 10 % observed, 100 domains<\/title>/);
});

test('the same bands give the same text, and no band gives an empty plot', (t) => {
  const bands = [band({}), band({ half: 'held aside' })];
  t.is(toCalibrationPlot(bands), toCalibrationPlot(bands));
  const empty = toCalibrationPlot([]);
  t.false(empty.includes('NaN'));
  t.false(empty.includes('class="mark'));
});
