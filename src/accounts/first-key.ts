import type { Storage } from '../storage/storage.ts';
import { StorageConflictError } from '../storage/storage-error.ts';
import { issueApiKey } from './issue-api-key.ts';
import { DEFAULT_PLAN } from './plan-limits.ts';

const NAME = 'first';

/**
 * Creates a key for the first start of Gatekeeper.
 *
 * @returns the key, which is shown only once; null if any key exists, even a revoked key.
 */
export async function createFirstKey({
  accounts,
  apiKeys,
}: Pick<Storage, 'accounts' | 'apiKeys'>): Promise<string | null> {
  if ((await apiKeys.list()).length > 0) return null;
  const { id } = await accounts.ensure({ name: NAME, plan: DEFAULT_PLAN });
  try {
    const facts = { accountId: id, name: NAME, test: false, expiresAt: null };
    return (await issueApiKey({ apiKeys }, facts)).key;
  } catch (error) {
    // Several nodes started at once, and another node created the key.
    if (error instanceof StorageConflictError) return null;
    throw error;
  }
}
