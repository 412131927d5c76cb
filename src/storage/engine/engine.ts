import type { Kysely } from 'kysely';
import type { StorageSchema } from '../storage-schema.ts';

/** What a SQL engine provides. The topics' queries are written once, in kysely, for every engine. */
export interface StorageEngine {
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
   * Runs the work in one transaction that holds the write lock from its first statement, and commits it. The work only
   * runs queries on the handle it receives: SQLite shares one connection with the scoring path.
   *
   * @throws StorageBusyError when the lock was not free within about five seconds.
   */
  transact<T>(work: (db: Kysely<StorageSchema>) => Promise<T>): Promise<T>;
  /** Removes overwritten data from the write-ahead log. False when other processes read it all the time. */
  emptyLog(): Promise<boolean>;
  /** How much of the database is in use, without free pages. Costs nothing. */
  usedBytes(): Promise<number>;
  close(): Promise<void>;
}
