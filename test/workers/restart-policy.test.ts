import test from 'ava';
import { createRestartPolicy } from '../../src/workers/restart-policy.ts';

const MINUTE_MS = 60_000;

test('a worker that dies again and again is replaced later each time, up to 30 s', (t) => {
  const policy = createRestartPolicy();
  const delays = Array.from({ length: 8 }, (_, i) =>
    policy.died(0, { at: i * 2 * MINUTE_MS, livedMs: 1_000 }),
  );
  t.deepEqual(delays, [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
});

test('a worker that lived for a minute is replaced after a second', (t) => {
  const policy = createRestartPolicy();
  policy.died(0, { at: 0, livedMs: 10 });
  policy.died(0, { at: 20_000, livedMs: 10 });
  t.is(policy.died(0, { at: 3 * MINUTE_MS, livedMs: MINUTE_MS }), 1_000);
});

test('workers wait apart from each other', (t) => {
  const policy = createRestartPolicy();
  policy.died(0, { at: 0, livedMs: 10 });
  t.is(policy.died(0, { at: 1, livedMs: 10 }), 2_000);
  t.is(policy.died(1, { at: 2, livedMs: 10 }), 1_000);
});

test('the fifth death within a minute ends the restarts, and four do not', (t) => {
  const policy = createRestartPolicy();
  for (let slot = 0; slot < 4; slot++) t.not(policy.died(slot, { at: slot * 10_000, livedMs: 10 }), null);
  t.not(policy.died(5, { at: MINUTE_MS, livedMs: 10 }), null, 'the first death is a minute ago');
  t.is(policy.died(6, { at: MINUTE_MS + 1, livedMs: 10 }), null);
});
