/**
 * The revision of the data that nodes keep in memory, as last read by this process. Data that was read under the same
 * revision is still valid at that time.
 */
export interface ConfirmedRevision {
  /** Null before the first reading, and when this process does not read it. */
  revision: number | null;
  /** When the last reading began, in milliseconds since the epoch. */
  at: number;
}

export function createConfirmedRevision(): ConfirmedRevision {
  return { revision: null, at: Number.NEGATIVE_INFINITY };
}
