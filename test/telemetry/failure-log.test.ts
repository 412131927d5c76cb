import { setTimeout } from 'node:timers/promises';
import test from 'ava';
import { createFailureLog } from '../../src/telemetry/failure-log.ts';
import { until } from '../helpers/until.ts';

test('the first failure is logged at once, and the next ones in one line with their number', async (t) => {
  const lines: [facts: object, message: string][] = [];
  const failures = createFailureLog(
    { error: (...line) => void lines.push(line) },
    'the records do not answer',
    50,
  );
  const full = new Error('No space is left');
  failures.failed(full, 'r1');
  t.deepEqual(lines, [[{ err: full, request_id: 'r1' }, 'the records do not answer']]);
  for (let i = 2; i <= 100; i++) failures.failed(full, `r${i}`);
  t.is(lines.length, 1);
  await until(() => lines.length === 2);
  t.deepEqual(lines[1], [{ err: full, request_id: 'r100', times: 99 }, 'the records do not answer']);
});

test('a failure after a minute without one is logged at once again', async (t) => {
  const lines: object[] = [];
  const failures = createFailureLog({ error: (facts) => void lines.push(facts) }, 'failed', 1);
  failures.failed(new Error('first'), 'r1');
  await setTimeout(50);
  const later = new Error('later');
  failures.failed(later, 'r2');
  t.deepEqual(lines[1], { err: later, request_id: 'r2' });
});
