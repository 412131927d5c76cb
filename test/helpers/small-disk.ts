import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { temporaryFolder } from './temporary-folder.ts';

/** Mounting needs the rights of root on Linux. */
export const CAN_MOUNT = canMount();

/** A file system of its own in memory, unmounted with the test. */
export interface SmallDisk {
  readonly folder: string;
  readOnly(): void;
}

export function mountSmallDisk(t: ExecutionContext, megabytes: number): SmallDisk {
  const folder = join(temporaryFolder(t), 'disk');
  mkdirSync(folder);
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]);
  // Lazily: a process that ends may hold a file for a moment longer.
  t.teardown(() => execFileSync('umount', ['--lazy', folder]));
  return {
    folder,
    readOnly: () => execFileSync('mount', ['-o', 'remount,ro', folder]),
  };
}

function canMount(): boolean {
  const folder = `/tmp/gatekeeper-can-mount-${process.pid}`;
  try {
    mkdirSync(folder);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'ignore' });
    execFileSync('umount', [folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
