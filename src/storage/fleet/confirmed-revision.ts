/**
 * The revision of what nodes keep in memory, as this process last read it. What was read from the database under the
 * same revision still holds at that time.
 */
export interface ConfirmedRevision {
  /** Null before the first reading, and where nothing reads it. */
  revision: number | null;
  /** When the last reading began, in milliseconds since the epoch. */
  at: number;
}

export function createConfirmedRevision(): ConfirmedRevision {
  return { revision: null, at: Number.NEGATIVE_INFINITY };
}
