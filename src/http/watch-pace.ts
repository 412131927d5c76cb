export interface Pace {
  /** A body may take this long, and longer only while it moves at `minBytesPerSecond`. */
  readonly timeoutMs: number;
  readonly minBytesPerSecond: number;
}

const CHECK_EVERY_MS = 1_000;

/**
 * Looks after a body on its way, from now on: when its time is over, and each second after it, what has come must be as
 * much as that pace makes.
 *
 * @param tooSlow called once.
 * @returns ends it.
 */
export function watchPace(pace: Pace, receivedBytes: () => number, tooSlow: () => void): () => void {
  const { timeoutMs, minBytesPerSecond } = pace;
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;

  const check = (elapsedMs: number) => {
    if (isOver) return;
    if (elapsedMs >= timeoutMs && receivedBytes() < (elapsedMs / 1_000) * minBytesPerSecond) {
      isOver = true;
      tooSlow();
      return;
    }
    const waitMs = elapsedMs < timeoutMs ? timeoutMs - elapsedMs : CHECK_EVERY_MS;
    timer = setTimeout(check, waitMs, elapsedMs + waitMs);
  };

  // Most bodies arrive in the packet of their head and are whole before this runs: they need no timer.
  setImmediate(check, 0);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
