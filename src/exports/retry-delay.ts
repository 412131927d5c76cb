const FIRST_MS = 1_000;
const LONGEST_MS = 600_000;

/**
 * The time until the next try after so many failures in a row: 1 s, doubling to 10 minutes. Jitter keeps many senders
 * from coming back at the same moment: each waits between half of it and all of it, and never less than a second.
 *
 * @param random from 0 to 1.
 */
export function retryDelayMs(failures: number, random: number): number {
  const fullMs = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures, 20));
  return Math.max(FIRST_MS, fullMs * (0.5 + random / 2));
}

/** A receiver may ask for more time, within the bound. */
export function withRetryAfter(delayMs: number, retryAfterMs: number | null): number {
  return Math.min(LONGEST_MS, Math.max(delayMs, retryAfterMs ?? 0));
}
