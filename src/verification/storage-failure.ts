import { StorageAwayError, StorageBusyError } from '../storage/storage-error.ts';

/** The records failed for a reason that the sender of a signup cannot cause. */
export class StorageFailure extends Error {
  override readonly name = 'StorageFailure';
}

/**
 * Separates failing records from busy records: a sender can make the records busy but cannot make them fail.
 *
 * @throws StorageBusyError unchanged.
 * @throws StorageFailure for everything else, with its cause: also for a database that is away.
 */
export async function fromStorage<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StorageBusyError && !(error instanceof StorageAwayError)) throw error;
    throw new StorageFailure('The records of held signups failed.', { cause: error });
  }
}
