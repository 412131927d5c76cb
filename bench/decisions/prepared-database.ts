import { copyFileSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fillDatabase } from './fill-database.ts';

const PREFIX = 'decisions-';

/**
 * Copies a database with that many decisions to `file`. Created once a day and kept in `folder`, because it takes
 * minutes; once a day, so that the last hours have decisions.
 */
export async function copyPreparedDatabase(
  file: string,
  { folder, count, days }: { readonly folder: string; readonly count: number; readonly days: number },
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const today = `${PREFIX}${new Date().toISOString().slice(0, 10)}`;
  const name = `${today}-${count}.db`;
  const kept = join(folder, name);
  const present = readdirSync(folder).filter((other) => other.startsWith(PREFIX));
  for (const other of present) {
    const isKept = other.startsWith(today) && other.endsWith('.db');
    if (!isKept) rmSync(join(folder, other), { force: true });
  }
  if (!present.includes(name)) {
    const draft = `${kept}.new`;
    await fillDatabase({ file: draft, count, days, until: Date.now() });
    renameSync(draft, kept);
  }
  for (const path of [`${file}-wal`, `${file}-shm`]) rmSync(path, { force: true });
  copyFileSync(kept, file);
}
