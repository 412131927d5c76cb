import { ProblemError } from '../http/problem.ts';

/**
 * Runs a call to the storage and turns its failure into `overloaded`. A write is all or nothing, so nothing was counted
 * and the caller may retry. The cause goes to the log, never to the caller.
 */
export async function fromRecords<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    throw new ProblemError('overloaded', 'The records do not answer right now; ask again in a moment.', {
      retryAfterSeconds: 1,
      cause,
    });
  }
}
