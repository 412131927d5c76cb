/** How many decisions are stored at most, and how large the database may grow. */
export interface DecisionBounds {
  readonly max_decisions: number;
  /** Bytes in use, all tables together. */
  readonly max_size: number;
  /** Decisions of test keys. Their own bound: they never displace other decisions. */
  readonly max_test_decisions: number;
}

export type DecisionBound = keyof DecisionBounds;

/** Decisions that were deleted before their retention ended, and why. */
export interface DecisionTrim {
  readonly bound: DecisionBound;
  /** The first deletion for this bound; from then to `lastAt`, every week had a deletion. */
  readonly since: number;
  readonly lastAt: number;
  /** How many decisions were deleted since then. */
  readonly deleted: number;
}

/** What one call deleted. */
export interface TrimProgress {
  readonly deleted: readonly { readonly bound: DecisionBound; readonly count: number }[];
  /** Whether a bound is still exceeded: one call deletes a bounded number. */
  readonly hasMore: boolean;
}
