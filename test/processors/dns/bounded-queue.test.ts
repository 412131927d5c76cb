import test from 'ava';
import fc from 'fast-check';
import { createBoundedQueue } from '../../../src/processors/dns/bounded-queue.ts';

/** Work that runs until it is ended. */
function openWork(log: string[], name: string) {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return {
    end: () => end(),
    run: () => {
      log.push(name);
      return ended;
    },
  };
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

test('work beyond the bound waits, and begins in the order of arrival', async (t) => {
  const queue = createBoundedQueue(1, 2);
  const log: string[] = [];
  const [a, b, c] = [openWork(log, 'a'), openWork(log, 'b'), openWork(log, 'c')];
  for (const work of [a, b, c]) t.truthy(queue.enter(work.run));
  t.deepEqual(log, ['a']);
  a.end();
  await settled();
  t.deepEqual(log, ['a', 'b']);
  b.end();
  await settled();
  t.deepEqual(log, ['a', 'b', 'c']);
});

test('a caller learns at once that the queue is full', (t) => {
  const queue = createBoundedQueue(1, 1);
  const log: string[] = [];
  t.truthy(queue.enter(openWork(log, 'a').run));
  t.truthy(queue.enter(openWork(log, 'b').run));
  t.is(queue.enter(openWork(log, 'c').run), null);
});

test('work that is given up while waiting never begins and makes room', async (t) => {
  const queue = createBoundedQueue(1, 1);
  const log: string[] = [];
  const a = openWork(log, 'a');
  queue.enter(a.run);
  const ticket = queue.enter(openWork(log, 'b').run);
  t.is(ticket?.giveUp(), false);
  t.truthy(queue.enter(openWork(log, 'c').run));
  a.end();
  await settled();
  t.deepEqual(log, ['a', 'c']);
});

test('a caller who gives up after the beginning learns that the work continues', async (t) => {
  const queue = createBoundedQueue(1, 1);
  const log: string[] = [];
  const a = openWork(log, 'a');
  const first = queue.enter(a.run);
  const second = queue.enter(openWork(log, 'b').run);
  t.is(first?.giveUp(), true);
  a.end();
  await settled();
  t.is(second?.giveUp(), true);
});

test('work that fails frees its place', async (t) => {
  const queue = createBoundedQueue(1, 1);
  const log: string[] = [];
  queue.enter(() => Promise.reject(new Error('failed')));
  queue.enter(openWork(log, 'b').run);
  await settled();
  t.deepEqual(log, ['b']);
});

test('the same work may wait twice', async (t) => {
  const queue = createBoundedQueue(1, 2);
  const log: string[] = [];
  const a = openWork(log, 'a');
  const b = { run: () => Promise.resolve(void log.push('b')) };
  for (const run of [a.run, b.run, b.run]) queue.enter(run);
  a.end();
  await settled();
  t.deepEqual(log, ['a', 'b', 'b']);
});

test('never more at work than allowed, and all that was let in gets its turn', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 0, max: 60 }),
      async (bound, count) => {
        const queue = createBoundedQueue(bound, 50);
        let atWork = 0;
        let most = 0;
        let done = 0;
        let admitted = 0;
        for (let i = 0; i < count; i++) {
          const ticket = queue.enter(async () => {
            most = Math.max(most, ++atWork);
            await settled();
            atWork--;
            done++;
          });
          if (ticket) admitted++;
        }
        while (done < admitted) await settled();
        return most <= bound && admitted === Math.min(count, bound + 50);
      },
    ),
    { numRuns: 30 },
  );
  t.pass();
});
