import { statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import Database from 'libsql';
import { StorageBusyError, StorageError } from '../storage-error.ts';
import { TABLES_CHECKED_AT_START } from '../storage-schema.ts';
import { damaged } from './sqlite-file.ts';

/**
 * The time for which SQLite blocks this process while another process holds the lock. Then `retryWhileBusy` tries
 * again.
 */
const BUSY_TIMEOUT_MS = 250;

/**
 * The page size of new databases; an existing database keeps its own. SQLite's default is half of this. The log gets a
 * copy of each changed page, and a signup changes fewer of these: it takes 0.95 of the CPU time to write.
 */
const PAGE_BYTES = 8_192;

/** Holds the inner pages of the index of ten million decisions and a few hundred pages of rows. */
const READER_CACHE_KB = 16_384;

/** 64 MB are checked in about 50 ms. Checking all of a large file would make the start too slow. */
const WHOLE_CHECK_BYTES = 64 * 1024 * 1024;

/** The part of libsql (better-sqlite3's interface) that is used, with errors that say which file and what to do. */
export interface SqliteConnection {
  /** Sets the time for which it blocks this process while another process holds the lock. */
  readonly busyTimeoutMs: number;
  readonly inTransaction: boolean;
  prepare(sql: string): SqliteStatement;
  exec(sql: string): void;
  close(): void;
}

export interface SqliteStatement {
  readonly reader: boolean;
  get(parameters: readonly unknown[]): unknown;
  all(parameters: readonly unknown[]): unknown[];
  run(parameters: readonly unknown[]): { changes: number; lastInsertRowid: number | bigint };
  iterate(parameters: readonly unknown[]): IterableIterator<unknown>;
}

/**
 * Opens the database in that file and checks it. Write-ahead log with `synchronous = NORMAL`: committed data survives
 * the end of the process at any moment (`kill -9`); a power cut may lose the last moments, never the file.
 *
 * Checks the structure of all tables while the file is small, and of a large file only the tables with accounts, keys
 * and quotas. A damaged page of old decisions in a large file then causes an error when a request reads it.
 * @param busyTimeoutMs It must be short when other processes write all the time: the event loop stops while SQLite
 * waits.
 * @throws StorageError when the file cannot be opened or is damaged.
 */
export function openSqlite(file: string, busyTimeoutMs = BUSY_TIMEOUT_MS): SqliteConnection {
  const connection = connect(file, busyTimeoutMs);
  try {
    // Others may write while this process starts.
    connection.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    checkStructure(connection, file);
    connection.exec(`PRAGMA page_size = ${PAGE_BYTES}`);
    connection.exec('PRAGMA journal_mode = WAL');
    connection.exec('PRAGMA synchronous = NORMAL');
    connection.exec('PRAGMA foreign_keys = ON');
    // Deleted data is overwritten, not only unlinked.
    connection.exec('PRAGMA secure_delete = ON');
    // The write-ahead log shrinks again after a burst.
    connection.exec('PRAGMA journal_size_limit = 67108864');
    connection.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/**
 * Opens the database once more, read-only, after `openSqlite` has checked it.
 *
 * @throws StorageError when the file cannot be opened.
 */
export function openSqliteReader(file: string): SqliteConnection {
  const connection = connect(file, BUSY_TIMEOUT_MS);
  connection.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  connection.exec('PRAGMA query_only = ON');
  connection.exec(`PRAGMA cache_size = -${READER_CACHE_KB}`);
  return connection;
}

/**
 * Opens a database that another process may write to, for reading only: neither the file nor its write-ahead log
 * changes. Makes the same checks as `openSqlite`.
 *
 * @throws StorageError when the file cannot be opened or is damaged.
 */
export function openSqliteReadOnly(file: string): SqliteConnection {
  const connection = connect(file, BUSY_TIMEOUT_MS, `${pathToFileURL(file).href}?mode=ro`);
  try {
    connection.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    checkStructure(connection, file);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

function checkStructure(connection: SqliteConnection, file: string): void {
  const tables = connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all([]);
  const names = tables.map((row) => (row as { name: string }).name);
  const isSmall = statSync(file).size <= WHOLE_CHECK_BYTES;
  const checks = isSmall
    ? ['PRAGMA quick_check(1)']
    : names.filter((name) => TABLES_CHECKED_AT_START.has(name)).map((name) => `PRAGMA quick_check(${name})`);
  for (const check of checks) {
    const [row] = connection.prepare(check).all([]) as { quick_check: string }[];
    if (row?.quick_check !== 'ok') throw damaged(file, row?.quick_check ?? 'it cannot be checked');
  }
}

/** @param address of the file, when it is opened by another name than its path. */
function connect(file: string, busyTimeoutMs: number, address = file): SqliteConnection {
  const translate = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw translated(error, file);
    }
  };
  const database = translate(() => new Database(address));
  return {
    busyTimeoutMs,
    get inTransaction() {
      return database.inTransaction;
    },
    exec: (sql) => {
      translate(() => database.exec(sql));
    },
    close: () => {
      database.close();
    },
    prepare(sql) {
      const statement = translate(() => database.prepare(sql));
      return {
        reader: statement.reader,
        get: (parameters) => translate(() => statement.get(parameters)),
        all: (parameters) => translate(() => statement.all(parameters)),
        run: (parameters) => translate(() => statement.run(parameters)),
        iterate: (parameters) => statement.iterate(parameters),
      };
    },
  };
}

function translated(error: unknown, file: string): unknown {
  const { code = '', message } = error as { code?: string; message: string };
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) {
    return new StorageBusyError(`Another process is writing to ${file}: try again.`, { cause: error });
  }
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return damaged(file, message, error);
  // Every statement fits the tables of this version, to which a start migrates the file.
  if (/^no such (?:table|column)|has no column/.test(message))
    return damaged(file, `its tables are not those of its version (${message})`, error);
  if (code.startsWith('SQLITE_FULL')) {
    return new StorageError(`No space is left to write to ${file}: free some space on its disk.`, {
      cause: error,
    });
  }
  if (/^SQLITE_(IOERR|READONLY|CANTOPEN|PERM|AUTH)/.test(code) || message.startsWith('ConnectionFailed')) {
    return unusable(file, code || message, error);
  }
  return error;
}

export function unusable(file: string, why: string, cause: unknown): StorageError {
  return new StorageError(
    `The database ${file} cannot be read or written (${why}): check its disk, its owner and its mode.`,
    { cause },
  );
}
