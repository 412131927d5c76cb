import { isUtf8 } from 'node:buffer';
import { type Kysely, sql } from 'kysely';
import { cleanText } from '../engine/clean-text.ts';
import type { StorageSchema } from '../storage-schema.ts';
import type { CopiedTable } from './copied-tables.ts';

export type Value = string | number | null;

/** The position of a reader in a table. It can be stored as JSON. */
export type Position = readonly Value[];

export interface TablePage {
  /** The values of a row in the order of `columns`. */
  readonly rows: readonly (readonly Value[])[];
  /** Indexes of rows with texts that PostgreSQL cannot store: here these characters are already replaced. */
  readonly replaced: readonly number[];
  readonly last: Position;
}

/** Reads whole tables in pages, in an order that stays the same. */
export interface TableReader {
  /** The columns of a table, in alphabetical order. */
  columns(table: CopiedTable): Promise<readonly string[]>;
  count(table: CopiedTable): Promise<number>;
  /** The rows after that position; null begins at the start. No page is returned after the last row. */
  page(table: CopiedTable, columns: readonly string[], after: Position | null): Promise<TablePage | null>;
}

type Handle = Kysely<StorageSchema>;

/**
 * Each row is read as one JSON array in bytes: libsql ends a text at its first NUL, and ends the process at a text that is
 * not UTF-8, which another program may have written.
 */
export function createSqliteTableReader(db: Handle): TableReader {
  return {
    async columns({ name }) {
      const { rows } = await sql<{ readonly name: string }>`
        SELECT name FROM pragma_table_info(${name}) ORDER BY name`.execute(db);
      return rows.map((row) => row.name);
    },
    count: (table) => countRows(db, table),
    async page({ name, pageRows }, columns, after) {
      const values = sql.join(columns.map((column) => sql.ref(column)));
      const { rows } = await sql<{ readonly place: number; readonly bytes: ArrayBuffer | Uint8Array }>`
        SELECT rowid AS place, CAST(json_array(${values}) AS BLOB) AS bytes FROM ${sql.table(name)}
        WHERE rowid > ${after?.[0] ?? -1} ORDER BY rowid LIMIT ${pageRows}`.execute(db);
      const last = rows.at(-1);
      if (!last) return null;
      const read = rows.map(({ bytes }) => readRow(Buffer.from(bytes as ArrayBuffer)));
      return {
        rows: read.map(({ row }) => row),
        replaced: read.flatMap(({ isReplaced }, i) => (isReplaced ? [i] : [])),
        last: [last.place],
      };
    },
  };
}

function readRow(bytes: Buffer): { readonly row: readonly Value[]; readonly isReplaced: boolean } {
  const stored = JSON.parse(bytes.toString()) as readonly Value[];
  const row = stored.map((value) => (typeof value === 'string' ? cleanText(value) : value));
  return { row, isReplaced: !isUtf8(bytes) || row.some((value, i) => value !== stored[i]) };
}

/** By its primary key, whose texts compare by bytes. */
export function createPostgresTableReader(db: Handle): TableReader {
  return {
    async columns({ name }) {
      const { rows } = await sql<{ readonly name: string }>`
        SELECT attname::text COLLATE "C" AS name FROM pg_attribute
        WHERE attrelid = to_regclass(${name}) AND attnum > 0 AND NOT attisdropped ORDER BY 1`.execute(db);
      return rows.map((row) => row.name);
    },
    count: (table) => countRows(db, table),
    async page({ name, key, pageRows }, columns, after) {
      const keys = sql.join(key.map((column) => sql.ref(column)));
      const isAfter = after ? sql`(${keys}) > (${sql.join(after)})` : sql`true`;
      const { rows } = await sql<Readonly<Record<string, Value>>>`
        SELECT ${sql.join(columns.map((column) => sql.ref(column)))} FROM ${sql.table(name)}
        WHERE ${isAfter} ORDER BY ${keys} LIMIT ${pageRows}`.execute(db);
      const last = rows.at(-1);
      if (!last) return null;
      return {
        rows: rows.map((row) => columns.map((column) => row[column] ?? null)),
        replaced: [],
        last: key.map((column) => last[column] ?? null),
      };
    },
  };
}

async function countRows(db: Handle, { name }: CopiedTable): Promise<number> {
  const { rows } = await sql<{ readonly count: number }>`
    SELECT count(*) AS count FROM ${sql.table(name)}`.execute(db);
  return rows[0]?.count ?? 0;
}
