import { accessSync, constants, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { reasonOf } from '../config/read-text-file.ts';
import { nearestExisting } from '../make-folder.ts';
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
  const nearest = nearestExisting(path);
  const isThere = nearest === resolve(path);
  try {
    const found = statSync(nearest);
    if (isThere && found.isDirectory()) return 'it is a folder';
    if (!isThere && !found.isDirectory()) return `${nearest} is not a folder`;
    if (isWaitingForReader(found)) return 'it is a named pipe or a socket';
    accessSync(nearest, constants.W_OK);
    return null;
  } catch (error) {
    return reasonOf(error);
  }
}
