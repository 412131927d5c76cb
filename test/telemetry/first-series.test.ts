import test from 'ava';
import { FACTORS } from '../../src/assessment/reasons.ts';
import { FIRST_SERIES } from '../../src/telemetry/first-series.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';

test('a counter whose first event is an alert has its series from the start, with 0', (t) => {
  const { counters } = createMetrics();
  for (const [name, series] of Object.entries(FIRST_SERIES)) {
    const counter = counters.find((one) => one.name === name);
    t.deepEqual(
      [...(counter?.series() ?? [])],
      series.map((values) => [values, 0]),
      name,
    );
  }
});

test('every factor has one', (t) => {
  t.deepEqual(
    FIRST_SERIES.factor_failures_total,
    FACTORS.map((factor) => [factor]),
  );
});
