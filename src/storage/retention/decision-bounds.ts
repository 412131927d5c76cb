/** How many decisions are kept at most, and how large the database may grow. */
export interface DecisionBounds {
  readonly max_decisions: number;
  /** Bytes in use, all tables together. */
  readonly max_size: number;
  /** Decisions of test keys, which have a bound of their own so that they push no other out. */
  readonly max_test_decisions: number;
}

export type DecisionBound = keyof DecisionBounds;

/** What was deleted before its time, and why. */
export interface DecisionTrim {
  readonly bound: DecisionBound;
  /** Deletions for this bound have gone on from then to `lastAt`, never a week apart. */
  readonly since: number;
  readonly lastAt: number;
  /** How many decisions went since then. */
  readonly deleted: number;
}

/** What one call has deleted. */
export interface TrimProgress {
  readonly deleted: readonly { readonly bound: DecisionBound; readonly count: number }[];
  /** Whether a bound is still exceeded: the call did as much as one may. */
  readonly hasMore: boolean;
}
