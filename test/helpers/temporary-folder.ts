import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';

/** An empty folder that is gone when the test ends. */
export function temporaryFolder(t: ExecutionContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatekeeper-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
