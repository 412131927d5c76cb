import { ProblemError } from '../http/problem.ts';

/** What all bodies on hold may take together. */
export interface BodyBudget {
  /** Sets room aside. Null: there is none left. Else gives it back, once. */
  take(bytes: number): (() => void) | null;
}

/** As many connections as a process may have, each with a body like this, take 160 MB: they need not be counted. */
const UNCOUNTED_BYTES = 16_384;
const NOTHING = () => {};

/**
 * Bounds the memory for signups that are being read and judged. Without it ten thousand slow senders of a megabyte each
 * would take ten gigabytes; with it they only keep large signups waiting, never ordinary ones.
 */
export function createBodyBudget(totalBytes: number): BodyBudget {
  let takenBytes = 0;
  return {
    take(bytes) {
      if (bytes <= UNCOUNTED_BYTES) return NOTHING;
      if (takenBytes + bytes > totalBytes) return null;
      takenBytes += bytes;
      let isTaken = true;
      return () => {
        if (isTaken) takenBytes -= bytes;
        isTaken = false;
      };
    },
  };
}

/** What a sender is told for whom nothing is left. */
export function noRoom(cause?: unknown): ProblemError {
  return new ProblemError('overloaded', 'Too many large signups are being read right now.', {
    retryAfterSeconds: 5,
    cause,
  });
}
