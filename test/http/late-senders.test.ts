import { setImmediate as nextTurn } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { openLagMonitor } from '../../src/http/event-loop.ts';
import { setUp, untilAllRan } from './queued-turns.ts';

function setUpMonitor(t: ExecutionContext, maxLagMs: number) {
  const { turns, queue, pass } = setUp();
  const monitor = openLagMonitor({ maxLagMs, turns });
  t.teardown(() => monitor.close());
  return { monitor, queue, pass };
}

test('after a quiet time, one slow turn makes nobody late', async (t) => {
  const { monitor, queue, pass } = setUpMonitor(t, 100);
  queue('one', 1);
  await nextTurn();
  pass(3_600_000);
  const ran = queue('one', 3, [], 11);
  await nextTurn();
  await nextTurn();
  t.is(ran(), 2);
  t.false(monitor.isLate(() => 'other'));
  await untilAllRan([ran, 3]);
});

test('a pause of the process while many wait makes nobody late', async (t) => {
  const { monitor, queue, pass } = setUpMonitor(t, 1_000);
  const ran = queue('one', 400, [], 0.2);
  while (ran() < 100) await nextTurn();
  pass(5_000);
  await nextTurn();
  t.true(ran() < 200);
  t.false(
    monitor.isLate(() => 'one'),
    'the others wait for 60 ms',
  );
  await untilAllRan([ran, 400]);
});

test('a sender is late where all turns take long', async (t) => {
  const { monitor, queue } = setUpMonitor(t, 1_000);
  const ran = queue('one', 100, [], 300);
  while (ran() < 20) await nextTurn();
  t.true(
    monitor.isLate(() => 'one'),
    '80 acts of 300 ms wait',
  );
  await untilAllRan([ran, 100]);
});

test('only the sender of a flood is late, and nobody is when it is over', async (t) => {
  const { monitor, queue } = setUpMonitor(t, 50);
  t.false(monitor.isLate(() => t.fail('asked for the sender') && 'flood'));
  const ran = queue('flood', 5_000, [], 0.25);
  const isFloodLate = () => monitor.isLate(() => 'flood');
  while (ran() < 3_900) await nextTurn();
  t.false(isFloodLate(), 'a burst');
  while (ran() < 4_100) await nextTurn();
  t.true(isFloodLate(), '900 acts of 0.25 ms wait, for a second already');
  t.false(monitor.isLate(() => 'other'));
  await untilAllRan([ran, 5_000]);
  t.false(monitor.isLate(() => 'flood'));
});
