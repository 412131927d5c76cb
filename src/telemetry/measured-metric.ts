/** The values of one metric, to be written or added to those of other processes. */
export interface MeasuredMetric {
  readonly name: string;
  readonly help: string;
  /** `counter`, `gauge`, `histogram`. */
  readonly type: string;
  /** How the values of several processes become one. */
  readonly aggregator: string;
  readonly values: readonly {
    /** Where one metric has several names. */
    readonly metricName?: string;
    readonly labels: Readonly<Record<string, string | number>>;
    readonly value: number;
  }[];
}
