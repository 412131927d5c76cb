import { ProblemError } from '../http/problem.ts';

/** A limit on the memory of all bodies that wait for a decision. */
export interface BodyBudget {
  /** A larger body never fits, even when no other body waits. */
  readonly totalBytes: number;
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
    totalBytes,
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

/**
 * The work allowed for reading one request before it is judged: its target, overrides, names, documents and conditions
 * share one budget. Work is counted, not timed, so the same request gets the same answer on every machine.
 *
 * The unit is one look at one character, about a nanosecond. A reader must spend from the budget before it works.
 */
export interface WorkBudget {
  /** @throws {ProblemError} `invalid_request` when the budget is too small. After that, every later call throws too. */
  spend(characters: number): void;
  /**
   * Adds the work for a body of this size, after the body was read.
   * @param most The upper limit. A long body must not save up work and spend all of it in one tick of the event loop.
   */
  grow(characters: number, most?: number): void;
}

export function createWorkBudget(characters: number): WorkBudget {
  let left = characters;
  return {
    spend(cost) {
      left -= cost;
      if (left < 0) throw new ProblemError('invalid_request', 'The request is too complex to read.');
    },
    grow(more, most = Number.POSITIVE_INFINITY) {
      if (left >= 0) left = Math.max(left, Math.min(left + more, most));
    },
  };
}
