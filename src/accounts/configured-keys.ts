import type { ApiKeyConfig } from '../config/config.ts';
import type { AccountStore } from '../storage/accounts/account-store.ts';
import type { ApiKeyStore, AuthorizedKey } from '../storage/keys/api-key-store.ts';

/** The keys of the configuration by their SHA-256. They are looked up before the keys of the database. */
export interface ConfiguredKeys {
  /**
   * Gives each key its own account with the name of the key.
   * @returns a function that replaces all configured keys by the given keys.
   */
  prepare(keys: readonly ApiKeyConfig[]): Promise<() => void>;
  readonly apiKeys: ApiKeyStore;
}

export function createConfiguredKeys({
  accounts,
  apiKeys,
}: {
  readonly accounts: AccountStore;
  readonly apiKeys: ApiKeyStore;
}): ConfiguredKeys {
  let configured: ReadonlyMap<string, AuthorizedKey> = new Map();
  return {
    async prepare(keys) {
      const entries = await Promise.all(
        keys.map(async ({ name, sha256, plan, scope }) => {
          const account = await accounts.ensure({ name, plan });
          const key = {
            keyId: `configured ${name}`,
            accountId: account.id,
            accountName: name,
            plan,
            test: false,
            scope,
          };
          return [sha256, key] as const;
        }),
      );
      return () => {
        configured = new Map(entries);
      };
    },
    apiKeys: {
      ...apiKeys,
      authorize(sha256, now) {
        const key = configured.get(sha256);
        return key ? Promise.resolve(key) : apiKeys.authorize(sha256, now);
      },
    },
  };
}
