import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

export const HEADER = 'time,email,ip_address,user_agent,label';
export const csv = (...rows: readonly string[]) => [HEADER, ...rows, ''].join('\n');
export const row = (second: number, email = 'jane@example.org') =>
  `2026-11-21T10:30:${String(second).padStart(2, '0')}Z,${email},198.51.100.7,curl/8,`;

/** A file of that name and content that is gone when the test ends. */
export function historyFile(t: ExecutionContext, name: string, content: string | Uint8Array): string {
  const file = join(temporaryFolder(t), name);
  writeFileSync(file, content);
  return file;
}
