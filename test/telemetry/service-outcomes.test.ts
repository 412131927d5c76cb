import test from 'ava';
import { createOutcomeRecorder, isFailing } from '../../src/telemetry/service-outcomes.ts';

test('five failures in a row are the fault of the server, and one success ends them', (t) => {
  let now = 1;
  const outcomes = createOutcomeRecorder(() => now);
  outcomes.succeeded();
  now = 2;
  for (let i = 0; i < 4; i++) outcomes.failed('timeout');
  t.false(isFailing(outcomes.read()));
  outcomes.failed('ECONNREFUSED');
  t.true(isFailing(outcomes.read()));
  t.deepEqual(outcomes.read(), {
    ...{ lastSuccessAt: 1, lastFailureAt: 2, failuresInARow: 5, failure: 'ECONNREFUSED' },
  });
  now = 3;
  outcomes.succeeded();
  t.false(isFailing(outcomes.read()));
  t.like(outcomes.read(), { lastSuccessAt: 3, lastFailureAt: 2 });
});
