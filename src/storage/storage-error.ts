/**
 * The database is damaged, full, unreadable or of another version. The message is for the operator: it names the file
 * and the remedy. A caller of the API never sees it.
 */
export class StorageError extends Error {
  override name = 'StorageError';
}

/** A queue is full, or another process locks the database. Nothing was written, and a retry may succeed. */
export class StorageBusyError extends StorageError {
  override name = 'StorageBusyError';
}

/** The database does not answer, or refuses to write. Nothing was written; a retry succeeds once it is back. */
export class StorageAwayError extends StorageBusyError {
  override name = 'StorageAwayError';
}

/** The connection ended after a write was sent: whether it was written is unknown. */
export class StorageInDoubtError extends StorageError {
  override name = 'StorageInDoubtError';
}

/** The request contradicts stored data: a second key of one name, an ambiguous name. The user must resolve it. */
export class StorageConflictError extends StorageError {
  override name = 'StorageConflictError';
}

/** Whether the database answers, but too many ask it at once. */
export function isOnlyBusy(error: unknown): error is StorageBusyError {
  return error instanceof StorageBusyError && !(error instanceof StorageAwayError);
}
