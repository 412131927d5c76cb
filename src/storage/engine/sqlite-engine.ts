import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Kysely, SqliteDialect, sql } from 'kysely';
import type { Clock } from '../../clock.ts';
import { giveToOwnerOf } from '../../make-folder.ts';
import { StorageBusyError, StorageError } from '../storage-error.ts';
import type { StorageSchema } from '../storage-schema.ts';
import type { StorageEngine } from './engine.ts';
import { type Migration, migrate } from './migrate.ts';
import { openSqlite, type SqliteConnection } from './open-sqlite.ts';
import { createReaderDialect } from './reader/reader-dialect.ts';
import { createReaderThread } from './reader/reader-thread.ts';
import { cannotOpen, isDatabaseThere } from './sqlite-file.ts';
import { sqliteFragments } from './sqlite-fragments.ts';
import { attemptsFor, retryWhileBusy } from './write-queue.ts';

/** With the 250 ms that SQLite itself waits: about five seconds. */
const EMPTY_LOG_ATTEMPTS = 15;
const EMPTY_LOG_PAUSE_MS = 100;

export interface SqliteEngine extends StorageEngine {
  readonly kind: 'sqlite';
  /** For statements that kysely is too slow for. Its transactions must not overlap with those of `transact`. */
  readonly connection: SqliteConnection;
}

/**
 * Opens the database in that file, creates it with mode 0600 if it is missing, and migrates its schema. Several
 * processes may open it.
 *
 * @param busyTimeoutMs As of `openSqlite`.
 * @throws StorageError when the file is damaged, belongs to another program or a newer version, or cannot be opened.
 */
export async function openSqliteEngine(
  file: string,
  migrations: readonly Migration[],
  clock: Clock,
  busyTimeoutMs?: number,
): Promise<SqliteEngine> {
  const open = (path: string) => openEngine(path, { migrations, clock, busyTimeoutMs });
  if (!isDatabaseThere(file)) await createDatabase(file, open);
  return open(file);
}

interface OpenEngineOptions {
  readonly migrations: readonly Migration[];
  readonly clock: Clock;
  readonly busyTimeoutMs: number | undefined;
}

async function openEngine(
  file: string,
  { migrations, clock, busyTimeoutMs }: OpenEngineOptions,
): Promise<SqliteEngine> {
  const connection = openSqlite(file, busyTimeoutMs);
  const attempts = attemptsFor(connection.busyTimeoutMs);
  const db = new Kysely<StorageSchema>({ dialect: new SqliteDialect({ database: connection }) });
  // BEGIN and COMMIT do not go through kysely: in libsql a prepared statement that met a lock stays active until it is
  // garbage-collected, and until then every COMMIT fails ("statements in progress"). `exec` finalises its statement.
  let isClosed = false;
  const transact: StorageEngine['transact'] = (work) =>
    retryWhileBusy(
      () =>
        db.connection().execute(async (handle) => {
          if (isClosed) throw new StorageError('The records are closed: the process is ending.');
          connection.exec('BEGIN IMMEDIATE');
          try {
            const result = await work(handle);
            connection.exec('COMMIT');
            return result;
          } catch (error) {
            if (connection.inTransaction) connection.exec('ROLLBACK');
            throw error;
          }
        }),
      attempts,
    );
  try {
    const engine = { kind: 'sqlite', db, transact, lock, fragments: sqliteFragments } as const;
    await migrate({ ...engine, name: `The database ${file}` }, migrations, clock);
    const reader = new Kysely<StorageSchema>({ dialect: createReaderDialect(createReaderThread(file)) });
    return {
      ...engine,
      name: file,
      reader,
      connection,
      emptyLog: () => emptyLog(db),
      usedBytes: async () => usedBytes(connection),
      async close() {
        await reader.destroy();
        try {
          // Waits for the connection: a running transaction ends first.
          await db.connection().execute(async () => {
            isClosed = true;
            removeLog(connection);
          });
        } finally {
          await db.destroy();
        }
      },
    };
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** A transaction holds the lock of the whole database. */
async function lock(): Promise<void> {}

/** Between two transactions. Readers finish within milliseconds, so that one of a few tries succeeds. */
async function emptyLog(db: Kysely<StorageSchema>): Promise<boolean> {
  for (let left = EMPTY_LOG_ATTEMPTS; left > 0; left--) {
    const { rows } = await sql<{ readonly busy: number }>`PRAGMA wal_checkpoint(TRUNCATE)`.execute(db);
    if (rows[0]?.busy === 0) return true;
    await delay(EMPTY_LOG_PAUSE_MS);
  }
  return false;
}

function usedBytes(connection: SqliteConnection): number {
  const [pages = 0, free = 0, bytes = 0] = ['page_count', 'freelist_count', 'page_size'].map((name) => {
    const row = connection.prepare(`PRAGMA ${name}`).get([]) as Readonly<Record<string, number>>;
    return row[name] ?? 0;
  });
  return (pages - free) * bytes;
}

/**
 * Moves the write-ahead log into the file and removes it. Closing does not: libsql keeps the log until its statements
 * are garbage-collected. While another process has the database open, the log stays. It also stays after a statement met
 * the lock of another process, because libsql keeps that statement active until it is garbage-collected.
 */
function removeLog(connection: SqliteConnection): void {
  connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  try {
    connection.exec('PRAGMA journal_mode = DELETE');
  } catch (error) {
    if (!(error instanceof StorageBusyError) && !STATEMENT_ACTIVE.test(String(error))) throw error;
  }
}

/** SQLite's words for a journal that cannot be changed while a statement of the connection is active. */
const STATEMENT_ACTIVE = /cannot change out of wal mode from within a transaction/;

/**
 * Makes the database under another name and moves it to its place when it is complete. So a file that is empty or lacks
 * tables is always damaged, never the result of an interrupted start, and of two processes that start at once one wins.
 * A copy is moved: SQLite's locks belong to the file, so that a process must not open it under two names.
 */
async function createDatabase(file: string, open: (path: string) => Promise<StorageEngine>): Promise<void> {
  const draft = `${file}.new-${randomUUID()}`;
  const copy = `${draft}-copy`;
  makeEmptyFile(draft, file);
  try {
    await (await open(draft)).close();
    copyFileSync(draft, copy, constants.COPYFILE_EXCL);
    syncToDisk(copy, dirname(file));
    moveUnlessThere(copy, file);
  } finally {
    for (const path of [draft, `${draft}-wal`, `${draft}-shm`, copy]) rmSync(path, { force: true });
  }
}

/** The folder may be read-only, or belong to another user. */
function makeEmptyFile(draft: string, file: string): void {
  try {
    closeSync(openSync(draft, 'wx', 0o600));
  } catch (error) {
    throw cannotOpen(file, error);
  }
}

function moveUnlessThere(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    // File systems without hard links (some network and container mounts): two first starts at once are not safe there.
    if (existsSync(to)) return;
    renameSync(from, to);
  }
}

function syncToDisk(path: string, folder: string): void {
  const descriptor = openSync(path, 'r+');
  try {
    giveToOwnerOf(folder, descriptor);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
