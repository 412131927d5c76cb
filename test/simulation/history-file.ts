import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

/** A file of that name and content that is gone when the test ends. */
export function historyFile(t: ExecutionContext, name: string, content: string | Uint8Array): string {
  const file = join(temporaryFolder(t), name);
  writeFileSync(file, content);
  return file;
}
