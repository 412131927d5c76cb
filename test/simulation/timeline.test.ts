import test from 'ava';
import fc from 'fast-check';
import { sumOf } from '../../src/simulation/judgement-counts.ts';
import { createTimeline } from '../../src/simulation/timeline.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

test('a month is shown in days, a day in hours, an hour in minutes', (t) => {
  t.is(createTimeline(0, 30 * DAY).timeline.stepMs, DAY);
  t.is(createTimeline(0, DAY).timeline.stepMs, HOUR);
  t.is(createTimeline(0, HOUR).timeline.stepMs, 60_000);
});

test('one moment is one step', (t) => {
  const { timeline, add } = createTimeline(90_000, 90_000);
  add(90_000, 'high');
  t.deepEqual(timeline, { from: 60_000, stepMs: 60_000, steps: [{ low: 0, medium: 0, high: 1 }] });
});

test('every time from the first to the last has its step, and there are never too many', (t) => {
  const times = fc.array(fc.integer({ min: -62_167_219_200_000, max: 253_402_300_799_999 }), {
    minLength: 1,
  });
  fc.assert(
    fc.property(times, (unsorted) => {
      const sorted = unsorted.toSorted((a, b) => a - b);
      const { timeline, add } = createTimeline(sorted[0] ?? 0, sorted.at(-1) ?? 0);
      for (const time of sorted) add(time, 'low');
      const counted = timeline.steps.reduce((sum, step) => sum + sumOf(step), 0);
      t.is(counted, sorted.length);
      t.true(timeline.steps.length <= 72, String(timeline.steps.length));
    }),
  );
});
