import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Clock } from '../../src/clock.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import type { Storage } from '../../src/storage/storage.ts';

let empty: Promise<Buffer> | null = null;

/**
 * Opens the SQLite database in that file. A new one begins as a copy of an empty database that Gatekeeper made once in this
 * process: all migrations take three times the CPU time of the copy, and most tests open a database of their own.
 */
export async function openDatabase(file: string, clock: Clock): Promise<Storage> {
  await writeEmptyDatabase(file);
  return openStorage({ url: `sqlite:${file}`, clock });
}

/** Leaves a file that exists as it is. */
export async function writeEmptyDatabase(file: string): Promise<void> {
  empty ??= createEmptyDatabase();
  const content = await empty;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    writeFileSync(file, content, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

async function createEmptyDatabase(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'gatekeeper-empty-'));
  try {
    const file = join(folder, 'gatekeeper.db');
    // The last close moves the write-ahead log into the file.
    await (await openStorage({ url: `sqlite:${file}`, clock: () => 0 })).close();
    return readFileSync(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
