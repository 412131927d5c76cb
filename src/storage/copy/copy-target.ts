import type { Kysely } from 'kysely';
import type { StorageSchema } from '../storage-schema.ts';
import type { CopiedTable } from './copied-tables.ts';
import type { PendingCount } from './pending-counts.ts';
import type { TableReader, Value } from './table-reader.ts';

type Transaction = Kysely<StorageSchema>;

/** The steps of receiving a copy that differ between the engines. */
export interface CopyTarget {
  readonly reader: TableReader;
  /** Makes room for decisions of those UTC days (since the epoch). Can be repeated. */
  prepare(days: readonly number[]): Promise<void>;
  insert(
    trx: Transaction,
    table: CopiedTable,
    columns: readonly string[],
    rows: readonly (readonly Value[])[],
  ): Promise<void>;
  /** To be called after the last row: computes the data that follows from the copied tables. */
  finish(trx: Transaction, pending: readonly PendingCount[]): Promise<void>;
  /** Tells the engine how large its tables are now. */
  analyze(): Promise<void>;
}
