import { ProblemError } from '../http/problem.ts';

/**
 * Runs a call to the storage and turns its failure into `overloaded`. A write is stored completely or not at all. After
 * a failure nothing was counted, so the caller may retry. Only the log gets the cause.
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
