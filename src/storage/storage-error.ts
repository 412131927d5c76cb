/**
 * The database could not do what was asked: damaged, full, unreadable, of another version. The message is written for
 * the operator, names the file and says what to do. It is never shown to a caller of the API.
 */
export class StorageError extends Error {
  override name = 'StorageError';
}

/** Too much to write at once, or another process holds the database. Nothing was written; the same may work in a moment. */
export class StorageBusyError extends StorageError {
  override name = 'StorageBusyError';
}

/** What was asked does not fit what is there: a second key of one name, an ambiguous name. The user's to settle. */
export class StorageConflictError extends StorageError {
  override name = 'StorageConflictError';
}
