import { setImmediate as nextTurn } from 'node:timers/promises';
import test from 'ava';
import { runInTickBatch } from '../../src/http/event-loop.ts';

test.serial('calls in one tick run at its end, in one batch and in order', async (t) => {
  const done: string[] = [];
  for (const name of ['a', 'b', 'c']) {
    runInTickBatch(() => {
      done.push(name);
      void Promise.resolve().then(() => done.push(`after ${name}`));
    });
  }
  t.deepEqual(done, []);
  await nextTurn();
  t.deepEqual(done, ['a', 'b', 'c', 'after a', 'after b', 'after c']);
});

test.serial('calls during the batch wait for the end of the next tick', async (t) => {
  const done: string[] = [];
  runInTickBatch(() => {
    done.push('first');
    runInTickBatch(() => done.push('second'));
  });
  await nextTurn();
  t.deepEqual(done, ['first']);
  await nextTurn();
  t.deepEqual(done, ['first', 'second']);
});
