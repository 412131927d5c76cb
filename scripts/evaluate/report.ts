import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  BAND_COLUMNS,
  bandCells,
  countText,
  intervalText,
  markdownTable,
  percent,
  targetText,
} from './figure-texts.ts';
import { isMet, type Measurement, shareOf } from './measurement.ts';
import type { ReliabilityBand } from './reliability.ts';

export interface Report {
  /** ISO 8601. */
  readonly at: string;
  readonly policyRevision: string;
  readonly dataRevision: string;
  readonly measurements: readonly Measurement[];
  /** The probabilities of throwaway domains against what the domains are; empty without the public data. */
  readonly reliability: readonly ReliabilityBand[];
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
  '95 % interval',
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
  return align([COLUMNS, ...measurements.map(cellsOf)]);
}

/** The same for the bands of probability. */
export function toReliabilityTable(bands: readonly ReliabilityBand[]): string {
  return align([BAND_COLUMNS, ...bands.map(bandCells)]);
}

function align(rows: readonly (readonly string[])[]): string {
  const columns = rows[0] ?? [];
  const widths = columns.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function toMarkdown({
  at,
  policyRevision,
  dataRevision,
  measurements,
  reliability,
  skipped,
}: Report): string {
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
    markdownTable(COLUMNS, measurements.map(cellsOf)),
    '',
    '## Probability of throwaway domains',
    '',
    markdownTable(BAND_COLUMNS, reliability.map(bandCells)),
    '',
    ...skipped.map((what) => `- not measured: ${what}`),
    ...details,
    '',
  ].join('\n');
}

function cellsOf(measurement: Measurement): readonly string[] {
  const { set, counted, population, hits, whole } = measurement;
  const met = isMet(measurement);
  return [
    met === null ? '' : met ? 'ok' : 'MISSED',
    set,
    counted,
    countText(population),
    countText(hits),
    percent(shareOf(measurement)),
    intervalText(measurement),
    targetText(measurement),
    whole ? percent(whole.medium) : '',
    whole ? percent(whole.high) : '',
  ];
}
