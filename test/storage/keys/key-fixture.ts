import type { NewApiKey } from '../../../src/storage/keys/api-key-store.ts';
export const keyOf = (accountId: string, changes: Partial<NewApiKey> = {}): NewApiKey => ({
  ...{ accountId, name: 'first', sha256: 'aa', lastFour: 'wxyz', test: false, expiresAt: null },
  ...changes,
});
