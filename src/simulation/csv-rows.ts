import { splitCsvRecord, withoutApostrophe } from './csv-record.ts';
import { HistoryError, type Line } from './read-lines.ts';
import { type ColumnChoice, describeAmbiguous, fieldValue, findColumns } from './signup-columns.ts';
import { REQUIRED_FIELDS, type Row, type SignupField } from './signup-row.ts';

/** A quoted field may have this many lines. If it has more, its opening quote is a mistake. */
const MAX_RECORD_LINES = 100;
/** Spreadsheets use a semicolon in countries where the comma is the decimal sign. */
const DELIMITERS: ReadonlyMap<string, string> = new Map([
  [',', 'commas'],
  [';', 'semicolons'],
  ['\t', 'tabs'],
]);

interface Header {
  readonly delimiter: string;
  /** The names of the columns, as in the file. */
  readonly columns: readonly string[];
  readonly places: ReadonlyMap<SignupField, number>;
}

/**
 * Rows of CSV with a header, with columns in any order; unknown columns are ignored. A broken row affects only itself:
 * reading continues at the next line.
 * @throws {HistoryError} when the header lacks a column, or two columns may be the same field.
 */
export async function* csvRows(
  batches: AsyncIterable<readonly Line[]>,
  choice: ColumnChoice,
): AsyncGenerator<readonly Row[]> {
  let header: Header | null = null;
  let waiting: Line[] = [];
  for await (const batch of batches) {
    const lines = waiting.concat(batch);
    let at = 0;
    if (header === null) {
      const first = lines[0];
      if (!first) continue;
      header = readHeader(first, choice);
      at = 1;
    }
    const { rows, rest } = readRecords(lines, at, { header, isEnd: false });
    waiting = rest;
    if (rows.length > 0) yield rows;
  }
  if (header === null) throw new HistoryError('The file is empty.');
  yield readRecords(waiting, 0, { header, isEnd: true }).rows;
}

/** The rest is the beginning of a record that may continue in lines not yet read. */
function readRecords(
  lines: readonly Line[],
  from: number,
  { header, isEnd }: { readonly header: Header; readonly isEnd: boolean },
): { readonly rows: readonly Row[]; readonly rest: Line[] } {
  const rows: Row[] = [];
  for (let at = from; at < lines.length; ) {
    const first = lines[at] as Line;
    if (first.text === null) {
      rows.push({ line: first.number, fields: null, problem: first.problem ?? '' });
      at++;
      continue;
    }
    if (first.text.trim() === '') {
      at++;
      continue;
    }
    const { record, lineCount } = readRecord(lines, at, header.delimiter);
    if (record === 'open' && lineCount < MAX_RECORD_LINES && !isEnd && at + lineCount === lines.length) {
      return { rows, rest: lines.slice(at) };
    }
    const isRead = record !== 'open' && record !== null;
    rows.push(isRead ? toRow(first.number, record, header) : brokenQuotes(first.number, record));
    at += isRead ? lineCount : 1;
  }
  return { rows, rest: [] };
}

/** Joins lines while a quote is open. */
function readRecord(lines: readonly Line[], from: number, delimiter: string) {
  let text = lines[from]?.text ?? '';
  let record = splitCsvRecord(text, delimiter);
  let lineCount = 1;
  let quotes = quotesIn(text);
  while (record === 'open' && lineCount < MAX_RECORD_LINES) {
    const next = lines[from + lineCount];
    if (!next || next.text === null) break;
    text += `\n${next.text}`;
    lineCount++;
    quotes += quotesIn(next.text);
    // A line ends inside a quoted field when its number of quotes is odd.
    if (quotes % 2 === 0) record = splitCsvRecord(text, delimiter);
  }
  return { record, lineCount };
}

function quotesIn(text: string): number {
  return text.split('"').length - 1;
}

function brokenQuotes(line: number, record: 'open' | null): Row {
  const problem =
    record === 'open'
      ? 'a quote is never closed'
      : 'a quote is inside a field: write it twice, in a quoted field';
  return { line, fields: null, problem };
}

function toRow(line: number, record: readonly string[], { columns, places, delimiter }: Header): Row {
  if (record.length > columns.length) {
    const inside = DELIMITERS.get(delimiter);
    const problem = `${record.length} fields where the header has ${columns.length}: put quotes around a field with ${inside}`;
    return { line, fields: null, problem };
  }
  const fields: Record<string, unknown> = {};
  for (const [name, place] of places) {
    const value = record[place];
    if (value !== undefined && value !== '')
      fields[name] = fieldValue(name, withoutApostrophe(value), columns[place] ?? '');
  }
  return { line, fields, problem: null };
}

function readHeader({ text, problem }: Line, choice: ColumnChoice): Header {
  if (text === null) throw new HistoryError(`The header is ${problem}.`);
  const { columns, delimiter } = splitHeader(text, choice);
  const { places, ambiguous, unknown } = findColumns(columns, choice);
  if (unknown.length > 0) throw new HistoryError(`The header has no column ${unknown.join(', ')}.`);
  const [twofold] = ambiguous;
  if (twofold) {
    const { field, names } = twofold;
    const advice =
      new Set(names).size === 1
        ? 'Rename one of the two columns'
        : `Choose one, such as --columns ${field}=${names[0] ?? ''}`;
    throw new HistoryError(`${describeAmbiguous(twofold)}. ${advice}.`);
  }
  const missing = REQUIRED_FIELDS.filter((name) => !places.has(name));
  if (missing.length > 0) {
    throw new HistoryError(
      `The header lacks ${missing.join(', ')}. The first line names the columns: time,email,ip_address,user_agent and, if known, label. Give other names with --columns, such as --columns time=created_at,email=mail.`,
    );
  }
  return { delimiter, columns, places };
}

/**
 * Reads the names of the columns. The delimiter is the one with which most fields are found; when several are equal,
 * the one with the most columns.
 */
export function splitHeader(
  text: string,
  choice: ColumnChoice,
): { readonly columns: readonly string[]; readonly delimiter: string } {
  const split = [...DELIMITERS.keys()].map((delimiter) => {
    const record = splitCsvRecord(text, delimiter);
    const columns = record === 'open' || record === null ? [] : record;
    const { places, ambiguous } = findColumns(columns, choice);
    return { columns, delimiter, found: places.size + ambiguous.length };
  });
  return split.reduce((best, other) => (isBetter(other, best) ? other : best));
}

interface Split {
  readonly columns: readonly string[];
  readonly found: number;
}

function isBetter(one: Split, other: Split): boolean {
  return one.found === other.found ? one.columns.length > other.columns.length : one.found > other.found;
}
