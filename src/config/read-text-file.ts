import { readFileSync, statSync } from 'node:fs';
import type { SecretFile } from './substitute.ts';

/** Configuration and secrets are small; what is larger is the wrong file. */
const MAX_BYTES = 16 * 1_048_576;
/** Read permission of users who are neither the owner nor in the group. */
const READ_BY_OTHERS = 0o004;

/**
 * Reads a regular file as UTF-8, following symbolic links, as Kubernetes mounts them.
 *
 * @throws with the system's `code`, or a message that says what is wrong with the content.
 */
export function readTextFile(path: string): SecretFile {
  const { size, mode, isFile } = statOf(path);
  if (!isFile) throw new Error('it is no regular file');
  if (size > MAX_BYTES) throw new Error(`larger than ${MAX_BYTES / 1_048_576} MB`);
  const content = readFileSync(path);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(content);
    return { text, openToOthers: (mode & READ_BY_OTHERS) !== 0 };
  } catch (cause) {
    throw new Error('it is not UTF-8', { cause });
  }
}

function statOf(path: string): { size: number; mode: number; isFile: boolean } {
  const stats = statSync(path);
  return { size: stats.size, mode: stats.mode, isFile: stats.isFile() };
}
