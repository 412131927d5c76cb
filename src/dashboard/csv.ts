import { stringify } from 'csv-stringify/sync';

export type CsvValue = string | number | boolean | null;

/**
 * Lines of CSV (RFC 4180), each with CRLF at the end. Text that a spreadsheet would run as a formula gets an apostrophe
 * before it.
 */
export function csvLines(rows: readonly (readonly CsvValue[])[]): string {
  return stringify(rows as CsvValue[][], {
    escape_formulas: true,
    record_delimiter: 'windows',
    // The library quotes only the whole delimiter CRLF; a single line feed would then begin a new row.
    quoted_match: /[\r\n]/,
    cast: { boolean: String },
  });
}
