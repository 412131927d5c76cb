import { StorageError } from '../storage-error.ts';

/**
 * Reads a JSON column of a decision.
 * @throws StorageError when it is damaged. The text is not quoted, since it may hold a plain address.
 */
export function parseStored(json: string, id: number): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw new StorageError(
      `The stored decision with the id ${id} is damaged. Restore the database from a backup, or stop Gatekeeper and ` +
        `delete this decision: DELETE FROM decisions WHERE id = ${id}`,
      { cause },
    );
  }
}
