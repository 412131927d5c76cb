import { setImmediate as nextTurn } from 'node:timers/promises';
import test from 'ava';
import { setUp, UNITS, untilAllRan } from './queued-turns.ts';

const ACTS_PER_TURN = 32;

test('few acts run in one batch, in order, and nobody asks who sends them', async (t) => {
  const { runInTurn } = setUp();
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

test('of many acts so many run in each turn, and all of them in the end', async (t) => {
  const { queue } = setUp();
  const ran = queue('flood', 100);
  for (const expected of [32, 64, 96, 100]) {
    await nextTurn();
    t.is(ran(), expected);
  }
});

test('senders take turns: who has one act does not wait for the flood of another', async (t) => {
  const { queue } = setUp();
  const order: string[] = [];
  const flood = queue('flood', 200, order);
  await nextTurn();
  const others = ['a', 'b', 'c'].map((sender) => queue(sender, 1, order));
  await nextTurn();
  t.true(others.every((ran) => ran() === 1));
  await untilAllRan([flood, 200]);
  t.is(order.length, 203);
});

test('two floods share each turn, and a sender who comes later joins in', async (t) => {
  const { queue } = setUp();
  const order: string[] = [];
  const [one, two] = [queue('one', 100, order), queue('two', 100, order)];
  await nextTurn();
  t.deepEqual([one(), two()], [16, 16]);
  const three = queue('three', 100, order);
  await nextTurn();
  t.true(three() >= 10, `${three()} of 32`);
  await untilAllRan([one, 100], [two, 100], [three, 100]);
});

test('while clients connect, turns without acts accept them, and then the acts go on', async (t) => {
  const { queue, noteAccepted } = setUp();
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

test('while clients connect, turns without acts go on for ten milliseconds', async (t) => {
  const { queue, noteAccepted, pass } = setUp();
  const ran = queue('flood', 96);
  await nextTurn();
  t.is(ran(), 32);
  for (let turn = 0; turn < 20; turn++) {
    noteAccepted();
    await nextTurn();
  }
  t.is(ran(), 32);
  pass(10);
  noteAccepted();
  await nextTurn();
  t.is(ran(), 64);
  await untilAllRan([ran, 96]);
});

test('while clients connect, half of the acts of a turn wait too', async (t) => {
  const { queue, noteAccepted } = setUp();
  const ran = queue('one', 16);
  noteAccepted();
  await nextTurn();
  t.is(ran(), 0);
  await nextTurn();
  t.is(ran(), 16);
});

test('a new connection does not delay few acts', async (t) => {
  const { queue, noteAccepted } = setUp();
  const ran = queue('one', 2);
  noteAccepted();
  await nextTurn();
  t.is(ran(), 2);
});

test('little work begins more often in a turn than much', async (t) => {
  const { runInTurn } = setUp();
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

test('a turn that takes long ends early, and the others go on in the next', async (t) => {
  const { queue } = setUp();
  const ran = queue('one', 3, [], 10);
  for (const expected of [1, 2, 3]) {
    await nextTurn();
    t.is(ran(), expected);
  }
});

test('the first act of a turn runs at once, and the others at its end', async (t) => {
  const { runFirstNow } = setUp();
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

test('acts run at once while half a turn has not begun and nothing waits', async (t) => {
  const { runWhileFree, queue } = setUp();
  let ran = 0;
  const run = () =>
    runWhileFree(
      () => void ran++,
      () => 'one',
      UNITS,
    );
  for (let i = 0; i < ACTS_PER_TURN; i++) run();
  t.is(ran, ACTS_PER_TURN / 2);
  await nextTurn();
  t.is(ran, ACTS_PER_TURN);
  await nextTurn();
  run();
  t.is(ran, ACTS_PER_TURN + 1);
  await nextTurn();
  queue('other', 1);
  run();
  t.is(ran, ACTS_PER_TURN + 1, 'it comes behind the one that waits');
  await nextTurn();
  t.is(ran, ACTS_PER_TURN + 2);
});
