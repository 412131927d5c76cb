import { stringify } from 'csv-stringify/sync';

export type CsvValue = string | number | boolean | null;

/**
 * Lines of CSV (RFC 4180), CRLF at the end of each. What a spreadsheet would take for a formula begins with an
 * apostrophe, so that it shows as text.
 */
export function csvLines(rows: readonly (readonly CsvValue[])[]): string {
  return stringify(rows as CsvValue[][], {
    escape_formulas: true,
    record_delimiter: 'windows',
    // By itself it quotes the whole delimiter alone, and a lone line feed would begin a row.
    quoted_match: /[\r\n]/,
    cast: { boolean: String },
  });
}
