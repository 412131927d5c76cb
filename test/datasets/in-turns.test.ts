import test from 'ava';
import { eachInTurns } from '../../src/datasets/in-turns.ts';

test('every item is processed in order, and other work runs in between', async (t) => {
  const taken: number[] = [];
  const between: number[] = [];
  const watch = () => {
    between.push(taken.length);
    if (taken.length < 5_000) setImmediate(watch);
  };
  setImmediate(watch);
  const items = Array.from({ length: 5_000 }, (_, i) => i);
  await eachInTurns(items, (item) => taken.push(item));
  t.deepEqual(taken, items);
  t.true(between.includes(1_000) && between.includes(4_000));
});

test('an error ends it', async (t) => {
  const fail = () => {
    throw new Error('enough');
  };
  await t.throwsAsync(eachInTurns([1, 2], fail), { message: 'enough' });
});
