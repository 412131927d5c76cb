/** Turns without a new connection after which none waits any more. */
const TURNS_TO_BE_SURE = 3;

/**
 * Waits until a server has received the connections that the system has already accepted for it. libuv delivers one of
 * them in each turn of the event loop.
 * @param received How many connections the server has received so far.
 */
export async function acceptWaiting(received: () => number, withinMs: number): Promise<void> {
  const giveUpAt = performance.now() + withinMs;
  for (let before = -1; received() !== before && performance.now() < giveUpAt; ) {
    before = received();
    for (let turn = 0; turn < TURNS_TO_BE_SURE; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
}
