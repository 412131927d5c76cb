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
import { setTimeout as delay } from 'node:timers/promises';
import { Kysely, SqliteDialect, sql } from 'kysely';
import type { Clock } from '../../clock.ts';
import { createSqliteScoring } from '../decisions/sqlite-scoring.ts';
import { createFreshDecisions } from '../rollups/fresh-decisions.ts';
import { StorageBusyError, StorageError } from '../storage-error.ts';
import type { StorageSchema } from '../storage-schema.ts';
import type { StorageEngine } from './engine.ts';
import { migrate } from './migrate.ts';
import { openSqlite, type SqliteConnection } from './open-sqlite.ts';
import { createReaderDialect } from './reader/reader-dialect.ts';
import { createReaderThread } from './reader/reader-thread.ts';
import { retryWhileBusy } from './retry-while-busy.ts';
import { isDatabaseThere } from './sqlite-file.ts';

/** With the quarter of a second that SQLite waits by itself: some five seconds. */
const EMPTY_LOG_ATTEMPTS = 15;
const EMPTY_LOG_PAUSE_MS = 100;

/**
 * Storage in one SQLite file, mode 0600, its folder made where there is none. Several processes may have it open.
 *
 * @throws StorageError when the file is damaged, not ours, of a newer version, or cannot be opened.
 */
export async function openSqliteEngine(file: string, clock: Clock): Promise<StorageEngine> {
  if (!isDatabaseThere(file)) await createDatabase(file, clock);
  return openEngine(file, clock);
}

async function openEngine(file: string, clock: Clock): Promise<StorageEngine> {
  const connection = openSqlite(file);
  const db = new Kysely<StorageSchema>({ dialect: new SqliteDialect({ database: connection }) });
  // BEGIN goes around kysely: libsql leaves a prepared statement that met a lock active until it is collected, and
  // with it no later COMMIT succeeds ("statements in progress"). `exec` finalises.
  let isClosed = false;
  const transact: StorageEngine['transact'] = (work) =>
    retryWhileBusy(() =>
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
    );
  try {
    await migrate({ name: `The database ${file}`, db, transact }, clock);
    const fresh = createFreshDecisions();
    const scoring = createSqliteScoring(connection, fresh);
    const reader = new Kysely<StorageSchema>({ dialect: createReaderDialect(createReaderThread(file)) });
    return {
      name: file,
      db,
      reader,
      transact,
      scoring,
      fresh,
      emptyLog: () => emptyLog(db),
      usedBytes: async () => usedBytes(connection),
      async close() {
        await reader.destroy();
        try {
          // In its turn: a transaction that runs ends first.
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

/** In turn with transactions. Readers finish within milliseconds, so that one of a few tries succeeds. */
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
 * Brings the write-ahead log into the file and removes it. Closing alone does not: libsql keeps the log while
 * statements await collection. While another process has the database open, its log stays.
 */
function removeLog(connection: SqliteConnection): void {
  connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  try {
    connection.exec('PRAGMA journal_mode = DELETE');
  } catch (error) {
    if (!(error instanceof StorageBusyError)) throw error;
  }
}

/**
 * Makes the database beside its place and moves it there whole: a file that is empty or lacks tables is then always
 * damage and never a start that was interrupted, and of two processes that start at once one wins. Moved is a copy,
 * since this process must not hold the same file open under two names (SQLite's locks go by the file).
 */
async function createDatabase(file: string, clock: Clock): Promise<void> {
  const draft = `${file}.new-${randomUUID()}`;
  const copy = `${draft}-copy`;
  try {
    closeSync(openSync(draft, 'wx', 0o600));
    const engine = await openEngine(draft, clock);
    await engine.close();
    copyFileSync(draft, copy, constants.COPYFILE_EXCL);
    syncToDisk(copy);
    moveUnlessThere(copy, file);
  } finally {
    for (const path of [draft, `${draft}-wal`, `${draft}-shm`, copy]) rmSync(path, { force: true });
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

function syncToDisk(path: string): void {
  const descriptor = openSync(path, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
