import { readFileSync, type Stats, statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';

/** A text file, and whether other users can read it. */
export interface TextFile {
  readonly text: string;
  /** Whether the file mode lets users other than its owner and group read it. */
  readonly openToOthers: boolean;
}

/** The largest file. Configuration and secrets are small, so a larger file is the wrong file. */
const MAX_BYTES = 16 * 1_048_576;
const NOT_UTF8 = 'it is not UTF-8';
/** Read permission of users who are neither the owner nor in the group. */
const READ_BY_OTHERS = 0o004;

/**
 * Reads a regular file as UTF-8, following symbolic links, because Kubernetes mounts files as links.
 * @throws with the system's `code`, or a message that says what is wrong with the content.
 */
export function readTextFile(path: string): TextFile {
  const stats = checked(statSync(path));
  return { text: decode(readFileSync(path)), openToOthers: (stats.mode & READ_BY_OTHERS) !== 0 };
}

/** Like `readTextFile` but without blocking the process, for repeated reads. */
export async function readTextFileAsync(path: string): Promise<string> {
  checked(await stat(path));
  return decode(await readFile(path));
}

/** The reason why a file could not be read or written, for people. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason';
  const code = 'code' in error ? error.code : null;
  if (code === 'ENOENT') return 'it does not exist';
  if (code === 'EACCES') return 'permission denied';
  if (code === 'EROFS') return 'the file system is read-only';
  if (code === 'ENOSPC') return 'no space is left on its disk';
  return error.message;
}

/** How to correct a file with content that cannot be read; null when its place or its rights are the problem. */
export function remedyOf(error: unknown): string | null {
  return error instanceof Error && error.message === NOT_UTF8 ? 'save it as UTF-8' : null;
}

/** Refuses pipes and devices, because reading them might never end. */
function checked(stats: Stats): Stats {
  if (stats.isDirectory()) throw new Error('it is a folder');
  if (!stats.isFile()) throw new Error('it is not a regular file');
  if (stats.size > MAX_BYTES) throw new Error(`larger than ${MAX_BYTES / 1_048_576} MB`);
  return stats;
}

/** Decodes UTF-8. A byte order mark at the start is removed. */
function decode(content: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch (cause) {
    throw new Error(NOT_UTF8, { cause });
  }
}
