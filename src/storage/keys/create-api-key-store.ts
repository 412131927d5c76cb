import { LRUCache } from 'lru-cache';
import type { Clock } from '../../clock.ts';
import { toAccount } from '../accounts/create-account-store.ts';
import type { ScoringStatements, UsableKey } from '../decisions/scoring-statements.ts';
import type { StorageEngine } from '../engine/engine.ts';
import { insertKey, isUsableAt, replaceKey, revokeKey, revokeKeyOf, toApiKey } from './api-key-rows.ts';
import type { ApiKeyStore } from './api-key-store.ts';

/** A revocation by another process takes effect within a second; half of it is left for the request itself. */
const CACHED_MS = 500;
const WRITE_USE_EVERY_MS = 60_000;
/** Two caches, so that a flood of guesses cannot evict the keys in use. */
const MAX_CACHED = { known: 10_000, unknown: 10_000 } as const;

interface CachedKey {
  readonly at: number;
  readonly key: UsableKey | null;
}

/** API keys; only their SHA-256 is stored. */
export function createApiKeyStore(
  engine: StorageEngine,
  scoring: Pick<ScoringStatements, 'findUsableKey'>,
  clock: Clock,
): ApiKeyStore {
  const known = new LRUCache<string, CachedKey>({ max: MAX_CACHED.known });
  const unknown = new LRUCache<string, CachedKey>({ max: MAX_CACHED.unknown });

  function findCached(sha256: string, now: number): CachedKey | undefined {
    const entry = known.get(sha256) ?? unknown.get(sha256);
    // A clock that is set back must not extend the half second.
    const age = entry ? now - entry.at : -1;
    return age >= 0 && age < CACHED_MS ? entry : undefined;
  }

  function cache(sha256: string, entry: CachedKey): UsableKey | null {
    known.delete(sha256);
    unknown.delete(sha256);
    (entry.key ? known : unknown).set(sha256, entry);
    if (entry.key && entry.at - (entry.key.lastUsedAt ?? 0) >= WRITE_USE_EVERY_MS) {
      writeLastUse(entry.key.keyId, entry.at);
    }
    return entry.key;
  }

  function writeLastUse(keyId: string, at: number): void {
    engine
      .transact((db) =>
        db.updateTable('api_keys').set({ last_used_at: at }).where('id', '=', keyId).execute(),
      )
      // The time of last use is only a hint; a later request writes it again.
      .catch(() => {});
  }

  /** After a key was added: its hash is no longer unknown, and a rotated key has an expiry. */
  function forget(sha256: string): void {
    unknown.delete(sha256);
    known.clear();
  }

  return {
    async authorize(sha256, now) {
      const entry = findCached(sha256, now);
      if (entry) return usable(entry.key, now);
      return cache(sha256, { at: now, key: await scoring.findUsableKey(sha256, now) });
    },
    async create(key) {
      const row = await engine.transact((db) => insertKey(db, key, clock()));
      forget(key.sha256);
      return toApiKey(row);
    },
    async list() {
      const rows = await engine.db
        .selectFrom('api_keys')
        .selectAll()
        .orderBy('created_at')
        .orderBy('name')
        .orderBy('id')
        .execute();
      const accounts = await engine.db.selectFrom('accounts').selectAll().execute();
      const accountsById = new Map(accounts.map((account) => [account.id, toAccount(account)]));
      return rows.flatMap((row) => {
        const account = accountsById.get(row.account_id);
        return account ? [{ ...toApiKey(row), account }] : [];
      });
    },
    async listOf(accountId) {
      const rows = await engine.db
        .selectFrom('api_keys')
        .selectAll()
        .where('account_id', '=', accountId)
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .execute();
      return rows.map(toApiKey);
    },
    async countUsable(accountIds, now) {
      if (accountIds.length === 0) return new Map();
      const rows = await engine.db
        .selectFrom('api_keys')
        .select(({ fn }) => ['account_id', fn.countAll<number>().as('count')])
        .where('account_id', 'in', accountIds)
        .where(isUsableAt(now))
        .groupBy('account_id')
        .execute();
      return new Map(rows.map(({ account_id, count }) => [account_id, Number(count)]));
    },
    async rotate(rotation) {
      const rows = await engine.transact((db) => replaceKey(db, rotation, clock()));
      if (!rows) return null;
      forget(rotation.sha256);
      return { replaced: toApiKey(rows.replaced), replacement: toApiKey(rows.replacement) };
    },
    async revokeOf(accountId, id) {
      const row = await engine.transact((db) => revokeKeyOf(db, { accountId, id }, clock()));
      known.clear();
      return row && toApiKey(row);
    },
    async revoke(nameOrLastFour) {
      const revoked = await engine.transact((db) => revokeKey(db, nameOrLastFour, clock()));
      known.clear();
      return revoked.map(toApiKey);
    },
  };
}

function usable(key: UsableKey | null, now: number): UsableKey | null {
  return key && (key.expiresAt === null || key.expiresAt > now) ? key : null;
}
