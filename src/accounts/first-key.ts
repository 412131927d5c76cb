import type { Storage } from '../storage/storage.ts';
import { createApiKey, sha256OfKey } from './api-key-format.ts';

const FIRST_KEY = { name: 'first', plan: 'hobby' };

/**
 * A key for somebody who has just started Gatekeeper for the first time.
 *
 * @returns the key, shown this once; null where there are keys, revoked ones included.
 */
export async function createFirstKey({
  accounts,
  apiKeys,
}: Pick<Storage, 'accounts' | 'apiKeys'>): Promise<string | null> {
  if ((await apiKeys.list()).length > 0) return null;
  const account = await accounts.ensure(FIRST_KEY);
  const key = createApiKey({ test: false });
  await apiKeys.create({
    accountId: account.id,
    name: FIRST_KEY.name,
    sha256: sha256OfKey(key),
    lastFour: key.slice(-4),
    test: false,
    expiresAt: null,
  });
  return key;
}
