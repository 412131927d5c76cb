import { LRUCache } from 'lru-cache';
import type { Clock } from '../../clock.ts';
import { toAccount } from '../accounts/create-account-store.ts';
import type { ScoringStatements, UsableKey } from '../decisions/scoring-statements.ts';
import type { StorageEngine } from '../engine/engine.ts';
import type { ConfirmedRevision } from '../fleet/confirmed-revision.ts';
import { keysLockOf } from '../locks.ts';
import { StorageError } from '../storage-error.ts';
import { within } from '../within.ts';
import { insertKey, isUsableAt, replaceKey, revokeKey, revokeKeyOf, toApiKey } from './api-key-rows.ts';
import type { ApiKeyStore } from './api-key-store.ts';

/** A revocation by another process takes effect within a second; half of it is left for the request itself. */
const CACHED_MS = 500;
/** While a revision confirms them, keys are looked up this often, so their last use is recorded. */
const CONFIRMED_MS = 60_000;
/** While the database does not answer, a known key still works for this time. */
const TRUSTED_MS = 60_000;
/** The time for which a request with such a key waits for the database. */
const PATIENCE_MS = 250;
const WRITE_USE_EVERY_MS = 60_000;
/** Two caches, so that a flood of guesses cannot evict the keys in use. */
const MAX_CACHED = { known: 10_000, unknown: 10_000 } as const;

interface CachedKey {
  readonly at: number;
  /** The revision of the records before the look-up began. */
  readonly revision: number | null;
  readonly key: UsableKey | null;
}

/** API keys; only their SHA-256 is stored. */
export function createApiKeyStore(
  engine: StorageEngine,
  scoring: Pick<ScoringStatements, 'findUsableKey'>,
  { confirmed, clock }: { readonly confirmed: ConfirmedRevision; readonly clock: Clock },
): ApiKeyStore {
  // Made with the first request: their memory is allocated at once, and commands and other acts never need it.
  let known: LRUCache<string, CachedKey> | null = null;
  let unknown: LRUCache<string, CachedKey> | null = null;
  /** The last time at which the database did not answer. */
  let failedAt = Number.NEGATIVE_INFINITY;

  function findCached(sha256: string, now: number): CachedKey | undefined {
    const entry = known?.get(sha256) ?? unknown?.get(sha256);
    if (!entry || (entry.revision !== null && entry.revision !== confirmed.revision)) return undefined;
    if (!isYounger(heldAt(entry), { now, ms: CACHED_MS })) return undefined;
    return isYounger(entry.at, { now, ms: CONFIRMED_MS }) ? entry : undefined;
  }

  /** The time at which the database last confirmed this: at the look-up, or later by an unchanged revision. */
  function heldAt({ at, revision }: CachedKey): number {
    const isConfirmed = revision !== null && revision === confirmed.revision;
    return isConfirmed ? Math.max(at, confirmed.at) : at;
  }

  async function lookUp(sha256: string, now: number): Promise<UsableKey | null> {
    const { revision } = confirmed;
    return cache(sha256, { at: now, revision, key: await scoring.findUsableKey(sha256, now) });
  }

  /**
   * The key from the database. While the database does not answer, the key from its last answer, if that is less than a
   * minute old.
   */
  async function lookUpOrTrust(sha256: string, now: number): Promise<UsableKey | null> {
    const last = known?.get(sha256);
    if (!last || !isYounger(heldAt(last), { now, ms: TRUSTED_MS })) return lookUp(sha256, now);
    if (isYounger(failedAt, { now, ms: PATIENCE_MS })) return usable(last.key, now);
    try {
      return await within(PATIENCE_MS, lookUp(sha256, now));
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      failedAt = now;
      return usable(last.key, now);
    }
  }

  function cache(sha256: string, entry: CachedKey): UsableKey | null {
    known ??= new LRUCache({ max: MAX_CACHED.known });
    unknown ??= new LRUCache({ max: MAX_CACHED.unknown });
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
    unknown?.delete(sha256);
    known?.clear();
  }

  return {
    async authorize(sha256, now) {
      const entry = findCached(sha256, now);
      if (entry) return usable(entry.key, now);
      return lookUpOrTrust(sha256, now);
    },
    refresh() {
      known?.clear();
      unknown?.clear();
    },
    async create(key) {
      const row = await engine.transact(async (db) => {
        await engine.lock(db, [keysLockOf(key.accountId)]);
        return insertKey(db, key, clock());
      });
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
    async search(text, limit) {
      // Greater than every name that begins with the text, by bytes and by code points.
      const end = `${text}\u{10ffff}`;
      const rows = await engine.reader
        .selectFrom('api_keys')
        .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
        .selectAll('api_keys')
        .select('accounts.name as accountName')
        .where((where) =>
          where.or([
            where.and([where('api_keys.name', '>=', text), where('api_keys.name', '<', end)]),
            where('api_keys.last_four', '=', text),
          ]),
        )
        .limit(limit)
        .execute();
      return rows.map(({ accountName, ...row }) => ({ ...toApiKey(row), accountName }));
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
      const rows = await engine.transact(async (db) => {
        await engine.lock(db, [keysLockOf(rotation.accountId)]);
        return replaceKey(db, rotation, clock());
      });
      if (!rows) return null;
      forget(rotation.sha256);
      return { replaced: toApiKey(rows.replaced), replacement: toApiKey(rows.replacement) };
    },
    async revokeOf(accountId, id) {
      const row = await engine.transact((db) => revokeKeyOf(db, { accountId, id }, clock()));
      known?.clear();
      return row && toApiKey(row);
    },
    async revoke(nameOrLastFour) {
      const revoked = await engine.transact((db) => revokeKey(db, nameOrLastFour, clock()));
      known?.clear();
      return revoked.map(toApiKey);
    },
  };
}

/** A clock that is set back must not make an entry younger. */
function isYounger(at: number, { now, ms }: { readonly now: number; readonly ms: number }): boolean {
  return now >= at && now - at < ms;
}

function usable(key: UsableKey | null, now: number): UsableKey | null {
  return key && (key.expiresAt === null || key.expiresAt > now) ? key : null;
}
