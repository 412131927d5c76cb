/** SQLite stops the event loop while it waits for the lock of another process; then the process tries again. */
export const BUSY_TIMEOUT_MS = 5;
