import { setImmediate as nextTurn } from 'node:timers/promises';
import test from 'ava';
import { noteAccepted, openLagMonitor, runFirstNow, runInTurn } from '../../src/http/event-loop.ts';

const UNITS = 4;
const ACTS_PER_TURN = 32;

/** Queues so many acts of a sender, and returns the number of those that ran. */
function queue(sender: string, count: number, order: string[] = [], act = () => {}): () => number {
  let ran = 0;
  for (let i = 0; i < count; i++) {
    runInTurn(
      () => {
        ran++;
        order.push(sender);
        act();
      },
      () => sender,
      UNITS,
    );
  }
  return () => ran;
}

async function untilAllRan(...counts: readonly [ran: () => number, of: number][]): Promise<void> {
  while (counts.some(([ran, of]) => ran() < of)) await nextTurn();
}

test.serial('few acts run in one batch, in order, and nobody asks who sends them', async (t) => {
  const order: number[] = [];
  for (let i = 0; i < ACTS_PER_TURN; i++) {
    runInTurn(
      () => void order.push(i),
      () => {
        t.fail('asked for the sender');
        return '';
      },
      UNITS,
    );
  }
  t.deepEqual(order, []);
  await nextTurn();
  t.deepEqual(
    order,
    Array.from({ length: ACTS_PER_TURN }, (_, i) => i),
  );
});

test.serial('of many acts so many run in each turn, and all of them in the end', async (t) => {
  const ran = queue('flood', 100);
  for (const expected of [32, 64, 96, 100]) {
    await nextTurn();
    t.is(ran(), expected);
  }
});

test.serial('senders take turns: who has one act does not wait for the flood of another', async (t) => {
  const order: string[] = [];
  const flood = queue('flood', 200, order);
  await nextTurn();
  const others = ['a', 'b', 'c'].map((sender) => queue(sender, 1, order));
  await nextTurn();
  t.true(others.every((ran) => ran() === 1));
  await untilAllRan([flood, 200]);
  t.is(order.length, 203);
});

test.serial('two floods share each turn, and a sender who comes later joins in', async (t) => {
  const order: string[] = [];
  const [one, two] = [queue('one', 100, order), queue('two', 100, order)];
  await nextTurn();
  t.deepEqual([one(), two()], [16, 16]);
  const three = queue('three', 100, order);
  await nextTurn();
  t.true(three() >= 10, `${three()} of 32`);
  await untilAllRan([one, 100], [two, 100], [three, 100]);
});

test.serial('while clients connect, turns without acts accept them, and then the acts go on', async (t) => {
  const ran = queue('flood', 64);
  for (let turn = 0; turn < 8; turn++) {
    noteAccepted();
    await nextTurn();
    t.is(ran(), 0);
  }
  noteAccepted();
  await nextTurn();
  t.is(ran(), 32);
  await nextTurn();
  t.is(ran(), 64);
});

test.serial('a new connection does not delay few acts', async (t) => {
  const ran = queue('one', 2);
  noteAccepted();
  await nextTurn();
  t.is(ran(), 2);
});

test.serial('little work begins more often in a turn than much', async (t) => {
  let ran = 0;
  const count = () => void ran++;
  for (let i = 0; i < 200; i++) runInTurn(count, () => 'one', 1);
  await nextTurn();
  t.is(ran, 128);
  await nextTurn();
  t.is(ran, 200);
  for (let i = 0; i < 3; i++) runInTurn(count, () => 'one', 1_000);
  for (const expected of [201, 202, 203]) {
    await nextTurn();
    t.is(ran, expected);
  }
});

test.serial('a turn that takes long ends early, and the others go on in the next', async (t) => {
  const slow = () => {
    const until = performance.now() + 11;
    while (performance.now() < until);
  };
  const ran = queue('one', 3, [], slow);
  for (const expected of [1, 2, 3]) {
    await nextTurn();
    t.is(ran(), expected);
  }
});

test.serial('the first act of a turn runs at once, and the others at its end', async (t) => {
  const order: string[] = [];
  const run = (name: string) =>
    runFirstNow(
      () => void order.push(name),
      () => name,
      1,
    );
  run('first');
  t.deepEqual(order, ['first']);
  run('second');
  t.deepEqual(order, ['first']);
  await nextTurn();
  t.deepEqual(order, ['first', 'second']);
  await nextTurn();
  run('third');
  t.deepEqual(order, ['first', 'second', 'third']);
  await nextTurn();
});

test.serial('only the sender of a flood is late, and nobody is when it is over', async (t) => {
  const monitor = openLagMonitor({ maxLagMs: 50 });
  t.teardown(() => monitor.close());
  t.false(monitor.isLate(() => t.fail('asked for the sender') && 'flood'));
  const busyMs = (ms: number) => {
    const until = performance.now() + ms;
    while (performance.now() < until);
  };
  const ran = queue('flood', 500, [], () => busyMs(0.5));
  for (let turn = 0; turn < 4; turn++) await nextTurn();
  t.true(
    monitor.isLate(() => 'flood'),
    '372 acts of 0.5 ms wait',
  );
  t.false(monitor.isLate(() => 'other'));
  await untilAllRan([ran, 500]);
  t.false(monitor.isLate(() => 'flood'));
});
