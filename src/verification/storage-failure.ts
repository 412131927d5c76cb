import { ProblemError } from '../http/problem.ts';
import { isOnlyBusy, StorageBusyError } from '../storage/storage-error.ts';
import { RETRY_AFTER_SECONDS } from './verify-step.ts';

/** A failure of the records that the sender of a signup cannot cause. */
export class StorageFailure extends Error {
  override readonly name = 'StorageFailure';
}

/**
 * Distinguishes failing records from busy records: a sender can make the records busy but cannot make them fail.
 *
 * @throws StorageBusyError unchanged.
 * @throws StorageFailure for every other error, with its cause, also when the database does not answer.
 */
export async function fromStorage<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isOnlyBusy(error)) throw error;
    throw new StorageFailure('The records of held signups failed.', { cause: error });
  }
}

/**
 * Runs a call of a verification page before its signup is claimed. When the records are away or busy, nothing was
 * written or it is undone, so the same code and the same link still work.
 *
 * @throws ProblemError `overloaded`, with its cause, when the records are away or busy.
 */
export async function orTryAgain<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StorageBusyError)) throw error;
    throw new ProblemError('overloaded', 'The records do not answer right now. Try again in a moment.', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      cause: error,
    });
  }
}
