import { StorageConflictError, StorageError } from '../storage/storage-error.ts';
import type { CommandContext, ExitCode } from './command-context.ts';

type Terminal = Pick<CommandContext, 'writeError'>;

/** What the records cannot do is a sentence for whoever typed the command: their mistake where it conflicts, else a failure. */
export async function reportingErrors(
  { writeError }: Terminal,
  command: () => Promise<ExitCode>,
): Promise<ExitCode> {
  try {
    return await command();
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    writeError(`${error.message}\n`);
    return error instanceof StorageConflictError ? 1 : 2;
  }
}

export function refuse({ writeError }: Terminal, message: string): ExitCode {
  writeError(`${message}\n`);
  return 1;
}
