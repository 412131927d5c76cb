import { ProblemError } from '../http/problem.ts';

/** A limit on the memory of all bodies that wait for a decision. */
export interface BodyBudget {
  /** Reserves memory. Returns the function that releases it, or null when no memory is left. */
  reserve(bytes: number): (() => void) | null;
}

/**
 * The highest possible number of connections, each with a body of this size, needs 160 MB. So these bodies are not
 * counted.
 */
const UNCOUNTED_BYTES = 16_384;
const NOTHING = () => {};

/**
 * Limits the memory for signups that are being read and judged. Without the limit, ten thousand slow senders with one
 * megabyte each would need ten gigabytes. With it, only large signups have to wait.
 */
export function createBodyBudget(totalBytes: number): BodyBudget {
  let takenBytes = 0;
  return {
    reserve(bytes) {
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

/** The answer to a sender when no memory is left. */
export function noRoom(cause?: unknown): ProblemError {
  return new ProblemError('overloaded', 'Too many large signups are being read right now.', {
    retryAfterSeconds: 5,
    cause,
  });
}
