import type { ApiKey, KeyRotation, NewApiKey } from '../storage/keys/api-key-store.ts';
import type { ActRecords } from '../storage/storage.ts';
import { createApiKey, sha256OfKey } from './api-key-format.ts';

/** A new key: `key` is shown only once, and only its hash is stored. */
export interface IssuedKey {
  readonly key: string;
  readonly stored: ApiKey;
}

const MAX_NAME_LENGTH = 100;

/** Why a key cannot have this name, as a sentence; undefined for a valid name. */
export function keyNameProblem(name: string): string | undefined {
  const hasLength = name.length >= 1 && name.length <= MAX_NAME_LENGTH;
  if (hasLength && name.trim() === name && !/\p{C}/u.test(name)) return undefined;
  return `A key's name has 1 to ${MAX_NAME_LENGTH} visible characters, without spaces at its ends.`;
}

/** Why a key of this kind cannot have this scope, as a sentence; undefined when it can. */
export function keyScopeProblem({ scope, test }: Pick<ApiKey, 'scope' | 'test'>): string | undefined {
  if (scope === null || !test) return undefined;
  return 'A test key has no scope: it is for tests of a client, which must not read real decisions.';
}

type KeyRecords = Pick<ActRecords, 'apiKeys'>;

/** @throws StorageConflictError when the account has a usable key of that name. */
export async function issueApiKey(
  { apiKeys }: KeyRecords,
  facts: Omit<NewApiKey, 'sha256' | 'lastFour'>,
): Promise<IssuedKey> {
  const { key, hashed } = generateKey(facts);
  return { key, stored: await apiKeys.create({ ...facts, ...hashed }) };
}

/**
 * A new key with the name, kind and scope of `old`, which it replaces.
 *
 * @returns null if `old` has already ended.
 * @throws StorageConflictError
 */
export async function replaceApiKey(
  { apiKeys }: KeyRecords,
  old: ApiKey,
  overlapMs: KeyRotation['overlapMs'],
): Promise<(IssuedKey & { readonly replaced: ApiKey }) | null> {
  const { key, hashed } = generateKey(old);
  const rotated = await apiKeys.rotate({ accountId: old.accountId, id: old.id, overlapMs, ...hashed });
  return rotated && { key, stored: rotated.replacement, replaced: rotated.replaced };
}

function generateKey({ test }: { readonly test: boolean }) {
  const key = createApiKey({ test });
  return { key, hashed: { sha256: sha256OfKey(key), lastFour: key.slice(-4) } };
}
