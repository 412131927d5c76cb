import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';

/**
 * An empty folder that is gone when the test ends. What was under way when the test ended may still put a file into it,
 * so taking it away is tried again for a moment.
 */
export function temporaryFolder(t: Pick<ExecutionContext, 'teardown'>): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatekeeper-'));
  t.teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
  return folder;
}
