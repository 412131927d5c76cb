import { existsSync, fchownSync, lchownSync, mkdirSync, statSync } from 'node:fs';
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

/**
 * Gives a new file to the owner of its private folder when root made it, as SQLite does with its write-ahead log: a
 * command of root must leave no file that the service cannot read. Takes the descriptor, because the owner of the folder
 * could replace the path.
 */
export function giveToOwnerOf(folder: string, descriptor: number): void {
  changeOwner(folder, (uid, gid) => fchownSync(descriptor, uid, gid));
}

function changeOwner(folder: string, change: (uid: number, gid: number) => void): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid, mode } = statSync(folder);
  // A folder that others may open can belong to an app, which must not read the secrets of root.
  if (uid === 0 || (mode & 0o077) !== 0) return;
  try {
    change(uid, gid);
  } catch {
    // Root without this capability, as in containers. The service is then most likely this user too.
  }
}

/** Another process may be faster. */
function makeOne(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
    changeOwner(dirname(folder), (uid, gid) => lchownSync(folder, uid, gid));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !isFolder(folder)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
