import { setImmediate } from 'node:timers/promises';

/** About 5 ms of parsing: the longest wait of a request for a feed of any length. */
const ITEMS_PER_TURN = 1_000;

/** Processes item after item and lets the event loop run in between, so that a long list does not block requests. */
export async function eachInTurns<Item>(items: Iterable<Item>, take: (item: Item) => void): Promise<void> {
  let count = 0;
  for (const item of items) {
    take(item);
    count += 1;
    if (count % ITEMS_PER_TURN === 0) await setImmediate();
  }
}
