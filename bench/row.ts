/** What a figure has to reach. */
export interface Target {
  readonly bound: 'at_least' | 'at_most';
  readonly must: number;
  readonly aim: number;
}

export type Unit = '×' | 'µs' | 's' | 'MB';

/** One figure of the report, with every value that was measured for it. */
export interface Row {
  readonly name: string;
  readonly unit: Unit;
  /** Null: a figure to look at, with nothing to reach. */
  readonly target: Target | null;
  /** One a round, in order of time. */
  readonly values: readonly number[];
  /** The absolute figures behind a ratio, or what else helps to read it. */
  readonly note: string | null;
}

export type Verdict = 'aim' | 'must' | 'UNDER MUST' | null;

/** The middle value; between two, their mean. */
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
