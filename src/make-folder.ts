import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder and its missing parents, for this user alone. Node's own `recursive` never returns where a file system
 * refuses new folders with ENOENT, as `/proc` does.
 *
 * @throws Error of the system, which names the folder that cannot be made.
 */
export function makeFolder(path: string): void {
  const missing: string[] = [];
  for (let folder = resolve(path); !existsSync(folder); folder = dirname(folder)) missing.push(folder);
  for (const folder of missing.reverse()) makeOne(folder);
  if (missing.length === 0) makeOne(resolve(path));
}

/** The absolute path, or its nearest parent that exists. */
export function nearestExisting(path: string): string {
  let nearest = resolve(path);
  while (!existsSync(nearest) && nearest !== dirname(nearest)) nearest = dirname(nearest);
  return nearest;
}

/** Another process may be faster. */
function makeOne(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !isFolder(folder)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
