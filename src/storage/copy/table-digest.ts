import { createHash } from 'node:crypto';
import type { CopiedTable } from './copied-tables.ts';
import type { TableReader, Value } from './table-reader.ts';

/** A summary of a table: the number of its rows, and a hash over all rows. */
export interface TableDigest {
  readonly rows: number;
  /** 32 hexadecimal digits. */
  readonly hash: string;
}

const BITS = 128n;

/**
 * The sum of the hashes of all rows, so the order of the rows, which differs between engines, does not matter. Two sums
 * are never equal by accident. Against a forger, the sum would need more bits.
 */
export async function digestOf(
  reader: TableReader,
  table: CopiedTable,
  columns: readonly string[],
  onRows: (rows: number) => void,
): Promise<TableDigest> {
  let sum = 0n;
  let rows = 0;
  for (let page = await reader.page(table, columns, null); page; ) {
    for (const row of page.rows) sum += hashOf(row);
    rows += page.rows.length;
    onRows(page.rows.length);
    page = await reader.page(table, columns, page.last);
  }
  const digits = Number(BITS / 4n);
  return { rows, hash: BigInt.asUintN(Number(BITS), sum).toString(16).padStart(digits, '0') };
}

function hashOf(row: readonly Value[]): bigint {
  const digest = createHash('sha256').update(JSON.stringify(row)).digest();
  return (digest.readBigUInt64BE(0) << 64n) | digest.readBigUInt64BE(8);
}
