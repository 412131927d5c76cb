import type { Clock } from '../../clock.ts';
import type { StorageEngine } from '../engine/engine.ts';
import { replaceHashSecret } from '../fleet/hash-secret.ts';
import { openEngine } from '../open-engine.ts';
import { StorageError } from '../storage-error.ts';
import { urlFromOption } from '../url-from-option.ts';
import { COPIED_TABLES, type CopiedTable } from './copied-tables.ts';
import { type CopySource, withSource } from './copy-source.ts';
import { type CopyState, openCopyState } from './copy-state.ts';
import type { CopyTarget } from './copy-target.ts';
import { createPostgresTarget } from './postgres-target.ts';
import { createSqliteTarget } from './sqlite-target.ts';
import { digestOf, type TableDigest } from './table-digest.ts';
import type { Position, TablePage } from './table-reader.ts';

export interface CopyOptions {
  readonly from: string;
  readonly to: string;
  /** The fingerprint of the hash secret with which the copy will be used; null when it is not known. */
  readonly hashSecret: string | null;
  readonly clock: Clock;
  /** The progress over all rows. Each row is read, written, and read again on both sides. */
  readonly onProgress: (done: number, total: number) => void;
  /** A row with texts that PostgreSQL cannot store: in the copy they have U+FFFD in place of such characters. */
  readonly onReplaced: (table: string, position: Position) => void;
}

export interface CopiedRecords {
  readonly source: string;
  readonly target: string;
  readonly tables: readonly ComparedTable[];
  /** Whether another process wrote to the source after the copy began. These writes are missing in the copy. */
  readonly wasWritten: boolean;
}

export interface ComparedTable {
  readonly name: string;
  readonly source: TableDigest;
  readonly target: TableDigest;
}

/**
 * Copies all records into an empty database of any engine, then reads both and compares them. A process that ends at any
 * moment leaves a copy that the next call continues; until it is complete and equal, no server starts on it.
 *
 * @throws StorageError which names `--from` or `--to`, when the source is missing, of another version or made with another hash
 *   secret, or the target is not empty or not reachable.
 */
export function copyRecords(options: CopyOptions): Promise<CopiedRecords> {
  const { from, to, clock } = options;
  const copyFrom = async (source: CopySource) => {
    const engine = await urlFromOption('--to', () => openEngine(to, clock));
    try {
      return await urlFromOption('--from or --to', () => copyInto(engine, source, options));
    } finally {
      await engine.close();
    }
  };
  return urlFromOption('--from', async () => withSource(from, copyFrom));
}

async function copyInto(
  engine: StorageEngine,
  source: CopySource,
  { hashSecret, onProgress, onReplaced }: CopyOptions,
): Promise<CopiedRecords> {
  const madeWith = await source.hashSecret();
  requireSecret(source, madeWith, hashSecret);
  const target = engine.kind === 'postgres' ? createPostgresTarget(engine) : createSqliteTarget(engine);
  const state = await openCopyState(engine, {
    source: source.fingerprint,
    tables: COPIED_TABLES,
    makeEmpty: (trx) => requireEmpty(engine, trx),
  });
  const counts = await inTurn(COPIED_TABLES, (table) => source.reader.count(table));
  const total = 3 * counts.reduce((sum, count) => sum + count, 0);
  let done = 0;
  const advance = (rows: number) => {
    done += rows;
    onProgress(done, total);
  };

  await target.prepare(await source.days());
  for (const table of COPIED_TABLES)
    await copyTable({ engine, source, target, state, table, advance, onReplaced });
  await target.analyze();
  const tables = await inTurn(COPIED_TABLES, async (table) => {
    const columns = await target.reader.columns(table);
    return {
      name: table.name,
      source: await digestOf(source.reader, table, columns, advance),
      target: await digestOf(target.reader, table, columns, advance),
    };
  });
  const pending = await source.pending();
  if (tables.every(isEqual)) {
    await engine.transact(async (trx) => {
      await state.end(trx);
      await target.finish(trx, pending);
      // A node with another secret does not start on the copy either.
      if (madeWith !== null) await replaceHashSecret(trx, madeWith);
    });
  }
  return { source: source.name, target: engine.name, tables, wasWritten: await source.wasWritten() };
}

export function isEqual({ source, target }: ComparedTable): boolean {
  return source.rows === target.rows && source.hash === target.hash;
}

async function copyTable({
  engine,
  source,
  target,
  state,
  table,
  advance,
  onReplaced,
}: {
  readonly engine: StorageEngine;
  readonly source: CopySource;
  readonly target: CopyTarget;
  readonly state: CopyState;
  readonly table: CopiedTable;
  readonly advance: (rows: number) => void;
  readonly onReplaced: CopyOptions['onReplaced'];
}): Promise<void> {
  const columns = await source.reader.columns(table);
  let from = state.tables.get(table.name) ?? { position: null, copied: 0 };
  advance(from.copied);
  const next = (): Promise<TablePage | null> => source.reader.page(table, columns, from.position);
  for (let page = await next(); page; page = await next()) {
    const { rows, last, replaced } = page;
    const to = { position: last, copied: from.copied + rows.length };
    await engine.transact(async (trx) => {
      await state.move(trx, table, from, to);
      await target.insert(trx, table, columns, rows);
    });
    for (const i of replaced) onReplaced(table.name, keyOf(table, columns, rows[i] ?? []));
    from = to;
    advance(rows.length);
  }
}

function keyOf({ key }: CopiedTable, columns: readonly string[], row: readonly (string | number | null)[]) {
  return key.map((column) => row[columns.indexOf(column)] ?? null);
}

/** With another secret, no mailbox of the copy would be recognized. */
function requireSecret({ name }: CopySource, madeWith: string | null, given: string | null): void {
  if (madeWith === null || given === null || madeWith === given) return;
  throw new StorageError(
    `The privacy.hash_secret of this configuration is not the secret of ${name}: its fingerprint is ${given}, and ` +
      `the records have ${madeWith}. Nothing was copied. Give the configuration the secret of the source; ` +
      '"gatekeeper records secrets" prints one that was generated.',
  );
}

/** The row that every new database has is removed: the source has it too. */
async function requireEmpty(engine: StorageEngine, trx: StorageEngine['db']): Promise<void> {
  await trx.deleteFrom('list_state').where('revision', '=', 0).execute();
  for (const { name } of COPIED_TABLES) {
    const row = await trx.selectFrom(name).selectAll().limit(1).executeTakeFirst();
    if (row) {
      throw new StorageError(
        `${engine.name} is not empty: its table ${name} has rows. Copy into a new database, on which no server has run.`,
      );
    }
  }
}

/** The tables are read one after the other, since one connection reads them. */
async function inTurn<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}
