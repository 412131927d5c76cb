/** A history that cannot be read at all. The message says what to change about the file. */
export class HistoryError extends Error {
  override readonly name = 'HistoryError';
}
