import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StorageError } from '../storage/storage-error.ts';

const FILE = 'assertion.secret';

/**
 * Writes the generated assertion secret to a file in the storage folder, with mode 0600. The operator can give this
 * file to the app. A file with the same content is left unchanged.
 * @param keys The keys of the configuration. When there is one, the generated secret signs nothing and is not written.
 * @returns the path; null when a key is configured.
 * @throws StorageError when the folder is not writable.
 */
export async function keepAssertionSecret(
  folder: string,
  secret: string,
  keys: readonly unknown[],
): Promise<string | null> {
  if (keys.length > 0) return null;
  const path = join(folder, FILE);
  const draft = `${path}.new-${randomUUID()}`;
  try {
    if ((await readFile(path, 'utf8').catch(() => null)) === secret) return path;
    await writeFile(draft, secret, { mode: 0o600 });
    await rename(draft, path);
    return path;
  } catch (error) {
    await rm(draft, { force: true });
    throw new StorageError(
      `The assertion secret cannot be kept in ${path}: ${(error as Error).message}. Make the folder writable, or name a key under assertion.keys.`,
      { cause: error },
    );
  }
}
