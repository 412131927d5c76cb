import { hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { link, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { giveToOwnerOf, makeFolder } from '../make-folder.ts';
import { StorageError } from '../storage/storage-error.ts';

const FILE = 'secrets.json';
const KEY_BYTES = 32;

/**
 * Secrets that the configuration may leave out. Each is 32 bytes as base64url, and reveals nothing about the others.
 */
export interface Secrets {
  /** The secret for `privacy.hash_secret`. */
  readonly hashSecret: string;
  /** The secret for an HS256 key under `assertion.keys`. */
  readonly assertionSecret: string;
  /** Encrypts held signups. */
  readonly holdKey: string;
  /** Signs the tokens in the dashboard's forms. */
  readonly dashboardSecret: string;
  /** Encrypts the secrets of second factors. */
  readonly secondFactorKey: string;
}

/**
 * The secrets of this installation, from `secrets.json` (mode 0600) in the storage folder. The file is created once.
 * All secrets are derived from its one key (HKDF, RFC 5869), so a later version can add a secret without changing the
 * file. When several processes start at once, the first to create the file wins.
 * @throws StorageError when the file exists but is not a valid secret file. It is never replaced: with another key, no
 * stored pseudonym would match again.
 */
export async function openSecrets(folder: string): Promise<Secrets> {
  const path = join(folder, FILE);
  try {
    return deriveSecrets((await readKey(path)) ?? (await makeKey(folder, path)));
  } catch (error) {
    throw asStorageError(path, error);
  }
}

/**
 * Reads the secrets of this installation, and does not create them.
 *
 * @throws StorageError when the file cannot be read or is not a valid secret file.
 */
export async function readSecrets(folder: string): Promise<Secrets | null> {
  const path = join(folder, FILE);
  try {
    const key = await readKey(path);
    return key && deriveSecrets(key);
  } catch (error) {
    throw asStorageError(path, error);
  }
}

function asStorageError(path: string, error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  return new StorageError(
    `The secrets in ${path} cannot be opened: ${(error as Error).message}. Allow this user to read the file and to ` +
      'write in its folder.',
    { cause: error },
  );
}

async function readKey(path: string): Promise<Buffer | null> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  const key = parseKey(text);
  if (key) return key;
  throw new StorageError(
    `The secrets in ${path} are damaged: restore the file from a backup. Without one, set privacy.hash_secret in the ` +
      'configuration, move the file away, and note that stored pseudonyms will not match any mailbox any more.',
  );
}

function parseKey(text: string): Buffer | null {
  try {
    const { key } = JSON.parse(text) as { readonly key?: unknown };
    const bytes = typeof key === 'string' ? Buffer.from(key, 'base64url') : null;
    return bytes?.length === KEY_BYTES ? bytes : null;
  } catch {
    // Not JSON: treated like any other damaged content.
    return null;
  }
}

async function makeKey(folder: string, path: string): Promise<Buffer> {
  makeFolder(folder);
  const draft = `${path}.new-${randomUUID()}`;
  const key = randomBytes(KEY_BYTES);
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(`${JSON.stringify({ key: key.toString('base64url') })}\n`);
      giveToOwnerOf(folder, file.fd);
      await file.sync();
    } finally {
      await file.close();
    }
    if (await moveUnlessThere(draft, path)) return key;
  } finally {
    await rm(draft, { force: true });
  }
  const winner = await readKey(path);
  if (winner) return winner;
  throw new StorageError(`The secrets in ${path} disappeared during their creation. Start again.`);
}

async function moveUnlessThere(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    // This file system has no hard links; two first starts at once are not safe there.
    await rename(from, to);
  }
  return true;
}

/** Independent secrets from one key (HKDF, RFC 5869). */
export function deriveSecrets(key: Buffer): Secrets {
  const derive = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', key, '', `gatekeeper ${purpose}`, KEY_BYTES)).toString('base64url');
  return {
    hashSecret: derive('pseudonyms'),
    assertionSecret: derive('assertion'),
    holdKey: derive('held signups'),
    dashboardSecret: derive('dashboard'),
    secondFactorKey: derive('second factors'),
  };
}
