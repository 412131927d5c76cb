import { setImmediate } from 'node:timers/promises';

/**
 * The number of items in one batch: about 5 ms of parsing. This is the longest delay of a request, for a feed of any
 * length.
 */
const ITEMS_PER_TURN = 1_000;

/** Processes one item after another. The event loop runs in between, so that a long list does not block requests. */
export async function eachInTurns<Item>(
  items: Iterable<Item>,
  take: (item: Item) => void,
  itemsPerTurn = ITEMS_PER_TURN,
): Promise<void> {
  let count = 0;
  for (const item of items) {
    take(item);
    count += 1;
    if (count % itemsPerTurn === 0) await setImmediate();
  }
}
