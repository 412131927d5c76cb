import type { Kysely } from 'kysely';
import type { ScoringStatements } from '../decisions/scoring-statements.ts';
import type { FreshDecisions } from '../rollups/fresh-decisions.ts';
import type { StorageSchema } from '../storage-schema.ts';

/** What a SQL engine brings. All else of the records is written once, in kysely, over this. */
export interface StorageEngine {
  /** For messages: the file, or the address without its password. */
  readonly name: string;
  /** For reads. Writes go through `transact`. */
  readonly db: Kysely<StorageSchema>;
  /**
   * For what people look at: reads that may take some 100 ms, beside the event loop and never in it. Each query sees
   * what was committed when it began; transactions and streams there are none. Answers with StorageBusyError when too
   * much waits.
   */
  readonly reader: Kysely<StorageSchema>;
  /**
   * Runs the work in one transaction that holds the write lock from its first statement, and commits it. The work does
   * nothing but queries on the handle it is given: SQLite shares one connection with the scoring path.
   *
   * @throws StorageBusyError when the lock could not be had within about five seconds.
   */
  transact<T>(work: (db: Kysely<StorageSchema>) => Promise<T>): Promise<T>;
  /** The statements of the scoring path, the one place where kysely is too slow (73 µs a row against 20). */
  readonly scoring: ScoringStatements;
  /** What `scoring` has written, counted. */
  readonly fresh: Pick<FreshDecisions, 'take'>;
  /** Removes what was overwritten from the log of recent writes. False: others read it all the time. */
  emptyLog(): Promise<boolean>;
  /** How much of the database is in use, free pages left out. Costs nothing. */
  usedBytes(): Promise<number>;
  close(): Promise<void>;
}
