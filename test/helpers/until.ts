const LIMIT_MS = 300_000;

/** Waits for a condition. Without the limit, a test with a long timeout would hold up all others. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const startedAt = performance.now();
  while (!(await holds())) {
    if (performance.now() - startedAt > LIMIT_MS)
      throw new Error(`not so within ${LIMIT_MS / 1_000} s: ${holds}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
