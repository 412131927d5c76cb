/**
 * SQLite blocks the event loop while it waits for the lock of another process. After this time, the process tries
 * again.
 */
export const BUSY_TIMEOUT_MS = 5;
