import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Machine } from './machine.ts';
import { medianOf, type Row, type Unit, verdictOn } from './row.ts';

export interface Report {
  /** ISO 8601. */
  readonly at: string;
  readonly machine: Machine;
  readonly rows: readonly Row[];
  /** Families of rows that could not be measured, and the reason. */
  readonly failed: readonly { readonly family: string; readonly why: string }[];
}

const COLUMNS = ['', 'row', 'median', 'min..max', 'must', 'aim', ''] as const;

/** Columns of even width, for a terminal. */
export function toTable(rows: readonly Row[]): string {
  const cells = [COLUMNS, ...rows.map(cellsOf)];
  const widths = COLUMNS.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** `bench.json`: every value of every round, for comparing runs. */
export function writeReport(folder: string, report: Report): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'bench.json');
  const rows = report.rows.map((row) => ({ ...row, median: medianOf(row.values), verdict: verdictOn(row) }));
  writeFileSync(file, `${JSON.stringify({ ...report, rows }, null, 2)}\n`);
  return file;
}

function cellsOf(row: Row): readonly string[] {
  const { name, unit, target, values, note } = row;
  const spread =
    values.length > 1 ? `${format(Math.min(...values))}..${format(Math.max(...values))}` : 'one run';
  return [
    verdictOn(row) ?? '',
    name,
    withUnit(medianOf(values), unit),
    spread,
    target ? withUnit(target.must, unit) : '',
    target ? withUnit(target.aim, unit) : '',
    note ?? '',
  ];
}

function withUnit(value: number, unit: Unit): string {
  return unit === '×' ? `${format(value)}×` : `${format(value)} ${unit}`.trimEnd();
}

/** Three significant digits: 0.123, 1.23, 12.3, 123, 1234. */
export function format(value: number): string {
  const size = Math.abs(value);
  if (size >= 100) return value.toFixed(0);
  if (size >= 10) return value.toFixed(1);
  return value.toFixed(size >= 1 || size === 0 ? 2 : 3);
}
