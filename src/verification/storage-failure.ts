import { StorageBusyError } from '../storage/storage-error.ts';

/** The records failed, for no reason that the sender of a signup could bring about. */
export class StorageFailure extends Error {
  override readonly name = 'StorageFailure';
}

/**
 * Tells failing records from busy ones: a sender can keep them busy, but cannot make them fail.
 *
 * @throws StorageBusyError as it came.
 * @throws StorageFailure for everything else, with its cause.
 */
export async function fromStorage<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StorageBusyError) throw error;
    throw new StorageFailure('The records of held signups failed.', { cause: error });
  }
}
