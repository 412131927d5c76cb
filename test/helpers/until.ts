const LIMIT_MS = 300_000;
const SHORTEST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 100;
/** Of the time so far. A condition that loads a page would keep a core busy until it holds. */
const PAUSE = 1 / 10;

/** Waits for a condition. Without the limit, a test with a long timeout would hold up all others. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const startedAt = performance.now();
  while (!(await holds())) {
    const waited = performance.now() - startedAt;
    if (waited > LIMIT_MS) throw new Error(`not so within ${LIMIT_MS / 1_000} s: ${holds}`);
    const pause = Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, waited * PAUSE));
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
