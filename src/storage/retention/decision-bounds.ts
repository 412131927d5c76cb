/** The limits for the number of stored decisions and for the size of the database. */
export interface DecisionBounds {
  readonly max_decisions: number;
  /** Bytes in use, all tables together. */
  readonly max_size: number;
  /** Decisions of test keys. Their own bound: they never displace other decisions. */
  readonly max_test_decisions: number;
}

export type DecisionBound = keyof DecisionBounds;

/** Decisions that were deleted before the end of their retention, with the cause. */
export interface DecisionTrim {
  readonly bound: DecisionBound;
  /** The first deletion for this bound; from then to `lastAt`, every week had a deletion. */
  readonly since: number;
  readonly lastAt: number;
  /** The number of decisions that were deleted since then. */
  readonly deleted: number;
}

/** The result of one call. */
export interface TrimProgress {
  readonly deleted: readonly { readonly bound: DecisionBound; readonly count: number }[];
  /** Whether a bound is still exceeded: one call deletes a bounded number. */
  readonly hasMore: boolean;
}
