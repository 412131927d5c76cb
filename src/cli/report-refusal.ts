import { AccountError } from '../accounts/account-error.ts';
import { StorageConflictError, StorageError } from '../storage/storage-error.ts';
import type { CommandContext, ExitCode } from './command-context.ts';

type Terminal = Pick<CommandContext, 'writeError'>;

/**
 * Prints a refusal as a sentence and returns the exit code. The code is 1 for invalid input or for a conflict with the
 * records, and 2 when the records fail.
 */
export async function reportingRefusals(
  { writeError }: Terminal,
  command: () => Promise<ExitCode>,
): Promise<ExitCode> {
  try {
    return await command();
  } catch (error) {
    if (error instanceof AccountError) return refuse({ writeError }, error.message);
    if (!(error instanceof StorageError)) throw error;
    writeError(`${error.message}\n`);
    return error instanceof StorageConflictError ? 1 : 2;
  }
}

export function refuse({ writeError }: Terminal, message: string): ExitCode {
  writeError(`${message}\n`);
  return 1;
}
