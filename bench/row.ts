/** The target of a figure. */
export interface Target {
  readonly bound: 'at_least' | 'at_most';
  readonly must: number;
  readonly aim: number;
}

/** The empty one: a count. */
export type Unit = '×' | 'µs' | 'ms' | 's' | 'MB' | 'GB' | 'bytes' | '';

/** One figure of the report, with all its measured values. */
export interface Row {
  readonly name: string;
  readonly unit: Unit;
  /** Null for a figure without a target. */
  readonly target: Target | null;
  /** One for each round, in order of time. */
  readonly values: readonly number[];
  /** The absolute figures behind a ratio, or another explanation. */
  readonly note: string | null;
}

export type Verdict = 'aim' | 'must' | 'UNDER MUST' | null;

/** The middle value; the mean of the two middle values when their number is even. */
export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[sorted.length >> 1];
  const lower = sorted[(sorted.length - 1) >> 1];
  if (upper === undefined || lower === undefined) throw new Error('there is no median of nothing');
  return (lower + upper) / 2;
}

/** By the median. */
export function verdictOn({ values, target }: Row): Verdict {
  if (target === null) return null;
  const median = medianOf(values);
  const reaches = (bar: number) => (target.bound === 'at_least' ? median >= bar : median <= bar);
  if (reaches(target.aim)) return 'aim';
  return reaches(target.must) ? 'must' : 'UNDER MUST';
}
