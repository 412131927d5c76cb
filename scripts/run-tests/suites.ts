import { readdirSync } from 'node:fs';
import { join } from 'node:path';

export type Suite = 'core' | 'full';

/**
 * The command that runs a test file, by its name alone: 'full' for `npm run test:full`, 'core' for `npm test`.
 * Full are browser suites, suites marked as slow, and end-to-end suites that are not marked as core.
 */
export function suiteOf(file: string): Suite {
  if (/\.(browser|full)\.test\.tsx?$/.test(file)) return 'full';
  if (file.startsWith('test/end-to-end/') && !/\.core\.test\.tsx?$/.test(file)) return 'full';
  return 'core';
}

/** Every test file of the project, as a path from its root. */
export function listTestFiles(root: string): readonly string[] {
  return readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .map((name) => `test/${name.replaceAll('\\', '/')}`)
    .filter((file) => /\.test\.tsx?$/.test(file))
    .sort();
}
