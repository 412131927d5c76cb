import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { makeFolder } from '../../make-folder.ts';
import { StorageError } from '../storage-error.ts';

const HEADER_BYTES = 100;
const MAGIC = 'SQLite format 3\0';

/**
 * The absolute path for `sqlite:./data/gatekeeper.db` or `sqlite:///var/lib/gatekeeper.db`.
 * @throws StorageError for any other address.
 */
export function sqlitePathOf(url: string): string {
  const path = /^sqlite:(?:\/\/(?=\/))?(.+)$/s.exec(url)?.[1];
  if (path === undefined || path.startsWith(':') || path.includes('\0')) {
    throw new StorageError(
      // Not the address itself, which may hold a password.
      'storage.records must be sqlite: and the path of a file, as in sqlite:./data/gatekeeper.db, or a postgres:// URL.',
    );
  }
  return resolve(path);
}

/**
 * Checks the file before SQLite opens it, and creates its folder if it is missing.
 *
 * @returns whether a database is there; false: there never was one.
 * @throws StorageError when the file is not a complete database.
 */
export function isDatabaseThere(file: string): boolean {
  try {
    makeFolder(dirname(file));
  } catch (error) {
    throw cannotOpen(file, error);
  }
  return isCompleteDatabase(file);
}

/**
 * SQLite takes an empty file for a new database and deletes its write-ahead log, which would silently reset every quota.
 * Changes nothing.
 *
 * @returns false: there is no database.
 * @throws StorageError when the file is not a complete database.
 */
export function isCompleteDatabase(file: string): boolean {
  try {
    if (existsSync(file)) {
      checkHeader(file);
      return true;
    }
  } catch (error) {
    if (error instanceof StorageError) throw error;
    throw cannotOpen(file, error);
  }
  if (existsSync(`${file}-wal`)) {
    throw damaged(file, `its write-ahead log ${file}-wal is there, but the database is not`);
  }
  return false;
}

/**
 * Remembers which file is at this path.
 *
 * @returns a check that throws a StorageError when another file, or none, is at the path. SQLite makes this check
 *   only without a write-ahead log (SQLITE_READONLY_DBMOVED): it continues with the old file, which no one finds again.
 */
export function rememberFile(file: string): () => void {
  const opened = statSync(file);
  return () => {
    const now = statSync(file, { throwIfNoEntry: false });
    if (now?.ino === opened.ino && now.dev === opened.dev) return;
    throw new StorageError(
      `The database ${file} was ${now ? 'replaced by another file' : 'moved or deleted'} while Gatekeeper uses it. ` +
        'Gatekeeper still writes to the old file. Stop it, put the right file in its place, and start it.',
    );
  };
}

export function cannotOpen(file: string, cause: unknown): StorageError {
  return new StorageError(
    `The database ${file} cannot be opened: ${(cause as Error).message}. Allow this user to read and write the file` +
      ' and its folder, or name another file in storage.records.',
    { cause },
  );
}

/** The advice is the same for every kind of damage. A log beside a restored file would damage it in turn. */
export function damaged(file: string, what: string, cause?: unknown): StorageError {
  return new StorageError(
    `The database ${file} is damaged: ${what}. Stop Gatekeeper, move ${file}, ${file}-wal and ${file}-shm away, and` +
      ' restore the file from a backup. Without it, Gatekeeper starts anew, without accounts, keys and counts.',
    { cause },
  );
}

function checkHeader(file: string): void {
  const descriptor = openSync(file, 'r');
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile())
      throw new StorageError(`The database ${file} is not a file: name one in storage.records.`);
    if (stat.size === 0) throw damaged(file, 'it is empty (0 bytes)');
    const header = Buffer.alloc(HEADER_BYTES);
    const length = readSync(descriptor, header, 0, HEADER_BYTES, 0);
    if (length < HEADER_BYTES || header.toString('latin1', 0, MAGIC.length) !== MAGIC) {
      throw damaged(file, 'it does not begin like a SQLite database');
    }
    if (!hasLog(file)) checkLength(file, header, stat.size);
  } finally {
    closeSync(descriptor);
  }
}

/** Pages that the write-ahead log still holds may be missing from the file. */
function hasLog(file: string): boolean {
  return (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** SQLite does not notice a truncated last page. Offsets: https://www.sqlite.org/fileformat.html, section 1.3. */
function checkLength(file: string, header: Buffer, sizeBytes: number): void {
  const pageField = header.readUInt16BE(16);
  const pageBytes = pageField === 1 ? 65_536 : pageField;
  const expectedBytes = header.readUInt32BE(28) * pageBytes;
  if (sizeBytes < expectedBytes) {
    throw damaged(file, `it is cut off (${sizeBytes} bytes of ${expectedBytes})`);
  }
}
