import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { ReaderThread } from './reader-thread.ts';

/** SQLite for kysely, read in a thread, without transactions: each query sees the data committed when it began. */
export function createReaderDialect(thread: ReaderThread): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => createReaderDriver(thread),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

function createReaderDriver(thread: ReaderThread): Driver {
  const connection: DatabaseConnection = {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      return { rows: (await thread.query(sql, parameters)) as Row[] };
    },
    async *streamQuery() {
      yield refuse('streams');
    },
  };
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    beginTransaction: async () => refuse('transactions'),
    commitTransaction: async () => refuse('transactions'),
    rollbackTransaction: async () => refuse('transactions'),
    destroy: () => thread.close(),
  };
}

function refuse(what: string): never {
  throw new Error(`The reader has no ${what}.`);
}
