// A program that keeps replacing 400,000 objects: each lives so long that only a full garbage collection frees it.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { tuneGarbageCollection } from '../../src/gatekeeper/garbage-collection.ts';

if (process.argv[2] === 'tuned') tuneGarbageCollection();

const OBJECTS = 6_000_000;
const A_TURN = 10_000;
const kept = new Array<object>(400_000);

function replace(n: number): void {
  kept[n % kept.length] = { n, more: [n] };
}

function replaceSome(from: number): void {
  for (let n = from; n < from + A_TURN; n++) replace(n);
}

// In turns, like a server: V8 compiles a loop that never ends in another way.
for (let n = 0; n < OBJECTS; n += A_TURN) {
  replaceSome(n);
  await nextTurn();
}
