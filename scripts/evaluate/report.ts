import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMet, type Measurement, shareOf } from './measurement.ts';

export interface Report {
  /** ISO 8601. */
  readonly at: string;
  readonly policyRevision: string;
  readonly dataRevision: string;
  readonly measurements: readonly Measurement[];
  /** What could not be measured, and why. */
  readonly skipped: readonly string[];
}

const COLUMNS = [
  '',
  'data set',
  'counted',
  'population',
  'hits',
  'share',
  'target',
  'whole medium',
  'whole high',
];

/** `evaluation.json` with everything, `evaluation.md` to read. */
export function writeReport(folder: string, report: Report): void {
  mkdirSync(folder, { recursive: true });
  const measurements = report.measurements.map((m) => ({ ...m, share: shareOf(m), met: isMet(m) }));
  writeFileSync(join(folder, 'evaluation.json'), `${JSON.stringify({ ...report, measurements }, null, 2)}\n`);
  writeFileSync(join(folder, 'evaluation.md'), toMarkdown(report));
}

/** Columns of even width, for a terminal. */
export function toTable(measurements: readonly Measurement[]): string {
  const rows = [COLUMNS, ...measurements.map(cellsOf)];
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function toMarkdown({ at, policyRevision, dataRevision, measurements, skipped }: Report): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const details = measurements.flatMap(({ set, reasons, apart, wrong }) => [
    `\n## ${set}\n`,
    ...Object.entries(reasons).map(([code, count]) => `- ${code}: ${count}`),
    ...apart.map(({ why, count }) => `- set apart, ${why}: ${count}`),
    ...(wrong.length === 0 ? [] : ['', 'Came out the wrong way (at most 20):', '']),
    ...wrong.map((name) => `    ${name}`),
  ]);
  return [
    '# Detection quality',
    '',
    `${at}, default policy ${policyRevision}, data ${dataRevision}, DNS off.`,
    '',
    line(COLUMNS),
    line(COLUMNS.map(() => '---')),
    ...measurements.map((measurement) => line(cellsOf(measurement))),
    '',
    ...skipped.map((what) => `- not measured: ${what}`),
    ...details,
    '',
  ].join('\n');
}

function cellsOf(measurement: Measurement): readonly string[] {
  const { set, counted, population, hits, target, whole } = measurement;
  const met = isMet(measurement);
  return [
    met === null ? '' : met ? 'ok' : 'MISSED',
    set,
    counted,
    String(population),
    String(hits),
    percent(shareOf(measurement)),
    target ? `${target.bound === 'at_least' ? '≥' : '≤'} ${percent(target.share)}` : '',
    whole ? percent(whole.medium) : '',
    whole ? percent(whole.high) : '',
  ];
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2).replace(/\.?0+$/, '')} %`;
}
