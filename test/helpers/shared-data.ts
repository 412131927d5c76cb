import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Lines of a public data set beside the project; null where it is not there, so that a test can say so. */
export function sharedLines(name: string): string[] | null {
  const path = fileURLToPath(new URL(`../../../shared/data/${name}`, import.meta.url));
  if (!existsSync(path)) return null;
  return readFileSync(path, 'utf8').split('\n').filter(Boolean);
}
