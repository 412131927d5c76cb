import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { reasonOf } from '../config/read-text-file.ts';
import { isWaitingForReader } from '../telemetry/line-file.ts';

/**
 * Checks that lines can be appended at the target of the decision log. Missing files and folders are created later.
 *
 * @throws Error that names the target and the remedy.
 */
export function checkLogTarget(to: string): void {
  const reason = to === 'stdout' ? null : whyNotAppendable(to);
  if (reason === null) return;
  throw new Error(`log.decisions.to: cannot write ${to}: ${reason}. Name a file, or write stdout.`);
}

function whyNotAppendable(path: string): string | null {
  let nearest = path;
  while (!existsSync(nearest) && nearest !== dirname(nearest)) nearest = dirname(nearest);
  try {
    const found = statSync(nearest);
    if (nearest === path && found.isDirectory()) return 'it is a folder';
    if (nearest !== path && !found.isDirectory()) return `${nearest} is not a folder`;
    if (isWaitingForReader(found)) return 'it is a named pipe or a socket';
    accessSync(nearest, constants.W_OK);
    return null;
  } catch (error) {
    return reasonOf(error);
  }
}
