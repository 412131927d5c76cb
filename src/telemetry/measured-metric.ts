/** The values of one metric, to be written or added to those of other processes. */
export interface MeasuredMetric {
  readonly name: string;
  readonly help: string;
  /** `counter`, `gauge`, `histogram`. */
  readonly type: string;
  /** The way in which the values of several processes are combined. */
  readonly aggregator: string;
  readonly values: readonly {
    /** The name of the value, when one metric has several names. */
    readonly metricName?: string;
    readonly labels: Readonly<Record<string, string | number>>;
    readonly value: number;
  }[];
}
