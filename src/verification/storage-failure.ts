import { isOnlyBusy } from '../storage/storage-error.ts';

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
