import type { RawBuilder } from 'kysely';

/** The few parts of a statement that differ between the engines. */
export interface SqlFragments {
  /** The type of a text column, which compares by bytes: with a language's order, a page after a name would lose rows. */
  readonly text: RawBuilder<unknown>;
  /** The rows of a JSON array of arrays, as a table with these columns. A list as one parameter is far cheaper. */
  rowsOfJson(json: string, columns: Readonly<Record<string, 'text' | 'bigint'>>): RawBuilder<unknown>;
  /** The columns of all rows as one JSON text, an array of arrays in that order. */
  jsonOfRows(columns: readonly string[], order: readonly string[]): RawBuilder<string>;
  /** The tables that the migrations may use. */
  readonly tableNames: RawBuilder<{ readonly name: string }>;
}
