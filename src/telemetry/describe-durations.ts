import { DURATION_BOUNDS_MS, type DurationHistogram } from './instruments.ts';
import type { MeasuredMetric } from './measured-metric.ts';

export interface DurationSeries {
  readonly labels: Readonly<Record<string, string>>;
  readonly took: DurationHistogram;
}

/** Counted here, because a histogram of prom-client accepts only single durations and takes a microsecond for each. */
export function describeDurations(
  name: string,
  help: string,
  series: Iterable<DurationSeries>,
): MeasuredMetric {
  const values: MeasuredMetric['values'][number][] = [];
  for (const { labels, took } of series) {
    let total = 0;
    for (const [place, count] of took.counts.entries()) {
      total += count;
      const bound = DURATION_BOUNDS_MS[place];
      const le = bound === undefined ? '+Inf' : String(bound / 1_000);
      values.push({ metricName: `${name}_bucket`, labels: { ...labels, le }, value: total });
    }
    values.push({ metricName: `${name}_sum`, labels, value: took.sumMs / 1_000 });
    values.push({ metricName: `${name}_count`, labels, value: total });
  }
  return { name, help, type: 'histogram', aggregator: 'sum', values };
}

/** The histogram in the text format of Prometheus. */
export function renderDurations({ name, help, values }: MeasuredMetric): string {
  const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`];
  for (const { metricName, labels, value } of values) {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${text}"`);
    lines.push(`${metricName}{${pairs.join(',')}} ${value}`);
  }
  return `\n${lines.join('\n')}\n`;
}
