import test from 'ava';
import { openLagMonitor } from '../../src/http/event-loop.ts';

function block(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

/** Lets the timers that are due run, the monitor's among them. */
const turn = () => new Promise((resolve) => setTimeout(resolve, 1));

test('one long pause is not an overload, a loop that is always late is, and it ends when the loop recovers', async (t) => {
  const monitor = openLagMonitor({ maxLagMs: 30 });
  t.teardown(() => monitor.close());
  block(150);
  await turn();
  t.false(monitor.isOverloaded());
  for (let i = 0; i < 6; i++) {
    block(120);
    await turn();
  }
  t.true(monitor.isOverloaded());
  t.true(monitor.lagMs() > 30);
  t.true(monitor.isOverloaded(2));
  t.false(monitor.isOverloaded(1_000));
  await new Promise<void>((resolve, reject) => {
    const giveUp = setTimeout(() => reject(new Error('still overloaded')), 10_000);
    const look = setInterval(() => {
      if (monitor.isOverloaded()) return;
      clearInterval(look);
      clearTimeout(giveUp);
      resolve();
    }, 20);
  });
  t.false(monitor.isOverloaded());
});
