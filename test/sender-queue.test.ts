import test from 'ava';
import { createSenderQueue } from '../src/sender-queue.ts';

/** A queue with so many items of each sender, named `a1`, `a2`, `b1`, … */
function queueOf(counts: Readonly<Record<string, number>>) {
  const queue = createSenderQueue<string>();
  for (const [sender, count] of Object.entries(counts))
    for (let i = 1; i <= count; i++) queue.add(sender, `${sender}${i}`);
  return queue;
}

function takeAll(queue: { next(): string | undefined }): readonly string[] {
  const taken: string[] = [];
  for (let item = queue.next(); item !== undefined; item = queue.next()) taken.push(item);
  return taken;
}

test('senders take turns, and the items of each keep their order', (t) => {
  const queue = queueOf({ a: 3, b: 1, c: 2 });
  t.deepEqual(
    [queue.size, queue.senders, queue.countOf('a'), queue.countOf('x'), queue.most()],
    [6, 3, 3, 0, 3],
  );
  t.deepEqual(takeAll(queue), ['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
  t.deepEqual([queue.size, queue.senders, queue.most(), queue.next()], [0, 0, 0, undefined]);
  queue.add('d', 'd1');
  t.deepEqual(takeAll(queue), ['d1']);
});

test('a sender that comes in between waits for one turn of the others', (t) => {
  const queue = queueOf({ a: 3, b: 3 });
  t.is(queue.next(), 'a1');
  queue.add('c', 'c1');
  t.deepEqual(takeAll(queue), ['b1', 'a2', 'c1', 'b2', 'a3', 'b3']);
});

test('an item that is added again comes first in the turn of its sender', (t) => {
  const queue = queueOf({ a: 2, b: 1 });
  t.is(queue.next(), 'a1');
  queue.addAgain('a', 'a1');
  t.deepEqual(takeAll(queue), ['b1', 'a1', 'a2']);
});

test('the sender with most items loses its newest', (t) => {
  const queue = queueOf({ a: 1, b: 3 });
  t.is(queue.removeNewestOfMost(), 'b3');
  t.is(queue.removeNewestOfMost(), 'b2');
  t.is(queue.removeNewestOfMost(), 'a1');
  t.deepEqual([queue.size, queue.senders], [1, 1]);
  t.is(queue.removeNewestOfMost(), 'b1');
  t.is(queue.removeNewestOfMost(), undefined);
  t.is(queue.size, 0);
});

test('turns among many senders take linear time', (t) => {
  const timeOf = (senders: number) => {
    const queue = createSenderQueue<number>();
    for (let i = 0; i < senders; i++) for (let j = 0; j < 4; j++) queue.add(String(i), j);
    const begun = process.cpuUsage();
    while (queue.next() !== undefined);
    return process.cpuUsage(begun).user;
  };
  timeOf(20_000);
  const few = Math.max(1_000, timeOf(20_000));
  t.true(timeOf(80_000) < few * 40);
});
