import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import { toAccount } from './accounts.ts';
import type { RecordsEngine } from './engine.ts';
import type { ApiKey, ApiKeys, NewApiKey } from './records.ts';
import { RecordsConflictError } from './records-error.ts';
import type { ApiKeysTable } from './schema.ts';
import type { UsableKey } from './scoring-statements.ts';

/** A revocation by another process holds within a second; half of it leaves room for the request itself. */
const REMEMBERED_MS = 500;
const NOTE_USE_EVERY_MS = 60_000;
/** Apart, so that a flood of guesses cannot push out the keys in use. */
const MAX_REMEMBERED = { known: 10_000, unknown: 10_000 } as const;

interface Remembered {
  readonly at: number;
  readonly key: UsableKey | null;
}

/** API keys, stored as their SHA-256 alone. */
export function createApiKeys(engine: RecordsEngine, clock: Clock): ApiKeys {
  const known = new LRUCache<string, Remembered>({ max: MAX_REMEMBERED.known });
  const unknown = new LRUCache<string, Remembered>({ max: MAX_REMEMBERED.unknown });

  function remembered(sha256: string, now: number): Remembered | undefined {
    const entry = known.get(sha256) ?? unknown.get(sha256);
    // A clock that was set back must not stretch the half second.
    const age = entry ? now - entry.at : -1;
    return age >= 0 && age < REMEMBERED_MS ? entry : undefined;
  }

  function remember(sha256: string, entry: Remembered): UsableKey | null {
    known.delete(sha256);
    unknown.delete(sha256);
    (entry.key ? known : unknown).set(sha256, entry);
    if (entry.key && entry.at - (entry.key.lastUsedAt ?? 0) >= NOTE_USE_EVERY_MS) {
      noteUse(entry.key.keyId, entry.at);
    }
    return entry.key;
  }

  function noteUse(keyId: string, at: number): void {
    engine
      .transact((db) =>
        db.updateTable('api_keys').set({ last_used_at: at }).where('id', '=', keyId).execute(),
      )
      // A hint for people who tidy up keys; the next request half a second on notes it again.
      .catch(() => {});
  }

  return {
    authorize(sha256, now) {
      const entry = remembered(sha256, now);
      if (entry) return usable(entry.key, now);
      const found = engine.scoring.findUsableKey(sha256, now);
      if (found instanceof Promise) return found.then((key) => remember(sha256, { at: now, key }));
      return remember(sha256, { at: now, key: found });
    },
    async create(key) {
      const row = await engine.transact((db) => insertKey(db, key, clock()));
      unknown.delete(key.sha256);
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

async function insertKey(
  db: RecordsEngine['db'],
  key: NewApiKey,
  now: number,
): Promise<Selectable<ApiKeysTable>> {
  const namesake = await db
    .selectFrom('api_keys')
    .select('last_four')
    .where('account_id', '=', key.accountId)
    .where('name', '=', key.name)
    .where('revoked_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
    .executeTakeFirst();
  if (namesake) {
    throw new RecordsConflictError(
      `There is a usable key named "${key.name}" already (it ends in ${namesake.last_four}): revoke it first, or choose another name.`,
    );
  }
  return db
    .insertInto('api_keys')
    .values({
      id: randomUUID(),
      account_id: key.accountId,
      name: key.name,
      sha256: key.sha256,
      last_four: key.lastFour,
      test: key.test ? 1 : 0,
      created_at: now,
      expires_at: key.expiresAt,
      revoked_at: null,
      last_used_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

async function revokeKey(
  db: RecordsEngine['db'],
  text: string,
  now: number,
): Promise<Selectable<ApiKeysTable>[]> {
  const matches = await db
    .selectFrom('api_keys')
    .selectAll()
    .where('revoked_at', 'is', null)
    .where((where) =>
      where.or([where('name', '=', text), where('last_four', '=', text), where('id', '=', text)]),
    )
    .execute();
  const [match, ...others] = matches;
  if (!match) return [];
  if (others.length > 0) {
    const keys = matches.map((key) => `"${key.name}" ending in ${key.last_four} (id ${key.id})`).join(', ');
    throw new RecordsConflictError(
      `"${text}" fits several keys: ${keys}. Nothing was revoked: give one's id.`,
    );
  }
  await db.updateTable('api_keys').set({ revoked_at: now }).where('id', '=', match.id).execute();
  return [{ ...match, revoked_at: now }];
}

function toApiKey(row: Selectable<ApiKeysTable>): ApiKey {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    lastFour: row.last_four,
    test: row.test === 1,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
  };
}
