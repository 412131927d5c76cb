import type { Kysely } from 'kysely';
import type { StorageSchema } from '../storage-schema.ts';
import type { SqlFragments } from './sql-fragments.ts';

/** The functions that a SQL engine provides. The topics' queries are written once, in kysely, for every engine. */
export interface StorageEngine {
  readonly kind: 'sqlite' | 'postgres';
  /** For messages: the file, or the address without its password. */
  readonly name: string;
  /** For reads. Writes go through `transact`. */
  readonly db: Kysely<StorageSchema>;
  /**
   * For pages: reads that may take some 100 ms, and so run outside the event loop. Each query sees the data committed
   * when it began. It has no transactions and no streams. Throws StorageBusyError when its queue is full.
   */
  readonly reader: Kysely<StorageSchema>;
  /**
   * Runs the work in one transaction and commits it. In SQLite it holds the write lock from its first statement; in
   * PostgreSQL others can write at the same time, so work that checks before it writes begins with `lock`. The work
   * only runs queries on the handle it receives: SQLite shares one connection with the scoring path. It may run again
   * after a deadlock.
   *
   * @throws StorageBusyError when a lock was not free within about five seconds.
   * @throws StorageInDoubtError when the connection ended during the commit.
   */
  transact<T>(work: (db: Kysely<StorageSchema>) => Promise<T>): Promise<T>;
  /**
   * Waits until no other transaction, of any node, holds one of these names, and holds them until the transaction ends.
   * All transactions must take names in the same order.
   */
  lock(trx: Kysely<StorageSchema>, names: readonly string[]): Promise<void>;
  readonly fragments: SqlFragments;
  /**
   * Removes overwritten data from SQLite's write-ahead log. False when other processes read it all the time. PostgreSQL
   * recycles its log by itself.
   */
  emptyLog(): Promise<boolean>;
  /** The used size of the database, without free pages. This is fast. */
  usedBytes(): Promise<number>;
  close(): Promise<void>;
}

/** The engine for stores that take part in a transaction of their caller. */
export function withinTransaction(engine: StorageEngine, trx: Kysely<StorageSchema>): StorageEngine {
  return { ...engine, db: trx, reader: trx, transact: (work) => work(trx) };
}
