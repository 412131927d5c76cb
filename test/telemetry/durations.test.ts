import test from 'ava';
import fc from 'fast-check';
import {
  createDurationHistogram,
  DURATION_BOUNDS_MS,
  durationClass,
  durationPercentile,
} from '../../src/telemetry/instruments.ts';

test('a duration falls into the first class whose bound it does not exceed', (t) => {
  t.is(durationClass(0), 0);
  t.is(durationClass(0.01), 0);
  t.is(durationClass(0.0101), 1);
  t.is(durationClass(1_000), DURATION_BOUNDS_MS.length - 1);
  t.is(durationClass(1_000.1), DURATION_BOUNDS_MS.length);
  fc.assert(
    fc.property(fc.double({ min: 0, max: 2_000, noNaN: true }), (ms) => {
      const scanned = DURATION_BOUNDS_MS.findIndex((bound) => ms <= bound);
      t.is(durationClass(ms), scanned === -1 ? DURATION_BOUNDS_MS.length : scanned);
    }),
  );
});

test('percentiles read from the classes are near those of the durations themselves', (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0.01, max: 900, noNaN: true }), { minLength: 1, maxLength: 500 }),
      (durations) => {
        const histogram = createDurationHistogram();
        for (const ms of durations) histogram.add(ms);
        const sorted = durations.toSorted((a, b) => a - b);
        for (const share of [0.5, 0.99]) {
          const exact = sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
          const place = durationClass(exact);
          const read = durationPercentile(histogram.counts, share) ?? -1;
          t.true(read >= (DURATION_BOUNDS_MS[place - 1] ?? 0) && read <= (DURATION_BOUNDS_MS[place] ?? 0));
        }
      },
    ),
  );
});

test('without counts there is no percentile, and a value above all bounds is the last bound', (t) => {
  const histogram = createDurationHistogram();
  t.is(durationPercentile(histogram.counts, 0.5), null);
  histogram.add(5_000);
  t.is(durationPercentile(histogram.counts, 0.5), 1_000);
  t.is(histogram.sumMs, 5_000);
});
