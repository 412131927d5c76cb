const FIRST_MS = 1_000;
const LONGEST_MS = 600_000;

/**
 * The time until the next attempt, after a number of failures in succession. It starts at 1 s and doubles up to 10
 * minutes. Jitter prevents many senders from returning at the same moment: each sender waits between half of this time
 * and all of it, but at least a second.
 *
 * @param random from 0 to 1.
 */
export function retryDelayMs(failures: number, random: number): number {
  const fullMs = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures, 20));
  return Math.max(FIRST_MS, fullMs * (0.5 + random / 2));
}

/** The delay, extended if the receiver asks for more time. It stays within the limit. */
export function withRetryAfter(delayMs: number, retryAfterMs: number | null): number {
  return Math.min(LONGEST_MS, Math.max(delayMs, retryAfterMs ?? 0));
}
