import { StorageBusyError, StorageError, StorageInDoubtError } from '../storage-error.ts';

/** Without new decisions, only the next one shows whether the database accepts them again. */
const REFUSAL_LASTS_MS = 10_000;

/**
 * Remembers whether the database refused the last group of decisions. A database without room, or without a right,
 * still answers, and would accept a statement that writes nothing.
 */
export interface RefusedGroups {
  /** Runs the write of a group. */
  watch<Result>(write: () => Promise<Result>): Promise<Result>;
  /** @throws StorageError of the last group, when the database refused it within the last ten seconds. */
  requireAccepted(): void;
}

export function createRefusedGroups(): RefusedGroups {
  let refused: { readonly error: StorageError; readonly at: number } | null = null;
  return {
    async watch(write) {
      try {
        const result = await write();
        refused = null;
        return result;
      } catch (error) {
        const isRefused = error instanceof StorageError && !isPassing(error);
        refused = isRefused ? { error, at: performance.now() } : null;
        throw error;
      }
    },
    requireAccepted() {
      if (refused && performance.now() - refused.at < REFUSAL_LASTS_MS) throw refused.error;
    },
  };
}

/** The database does not answer, or could not finish in time. */
export function isPassing(error: unknown): boolean {
  return error instanceof StorageBusyError || error instanceof StorageInDoubtError;
}
