import { randomUUID } from 'node:crypto';
import type { ExpressionBuilder, Selectable } from 'kysely';
import type { StorageEngine } from '../engine/engine.ts';
import { StorageConflictError } from '../storage-error.ts';
import type { StorageSchema } from '../storage-schema.ts';
import { type ApiKey, type KeyRotation, type NewApiKey, toKeyScope } from './api-key-store.ts';
import type { ApiKeysTable } from './api-key-tables.ts';

/** More than a user can distinguish. */
const MAX_USABLE_KEYS = 100;
/** The largest number of keys of an account, including ended keys. Beyond it, the oldest ended keys are deleted. */
const MAX_KEPT_KEYS = 1_000;

type KeyRow = Selectable<ApiKeysTable>;

export async function insertKey(db: StorageEngine['db'], key: NewApiKey, now: number): Promise<KeyRow> {
  const usable = await findUsable(db, key.accountId, now);
  const namesake = usable.find(({ name }) => name === key.name);
  if (namesake) {
    throw new StorageConflictError(
      `A usable key named "${key.name}" already exists (it ends in ${namesake.last_four}): revoke it first, or choose another name.`,
    );
  }
  checkLimit(usable.length);
  await deleteOldestEnded(db, key.accountId, now);
  return writeKey(db, key, now);
}

/**
 * A new key of the same name, kind and scope; the old one ends after the overlap, or at its own earlier expiry.
 * @returns null when the account has no usable key with that id.
 */
export async function replaceKey(
  db: StorageEngine['db'],
  { accountId, id, sha256, lastFour, overlapMs }: KeyRotation,
  now: number,
): Promise<{ readonly replaced: KeyRow; readonly replacement: KeyRow } | null> {
  const old = await db
    .selectFrom('api_keys')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where(isUsableAt(now))
    .executeTakeFirst();
  if (!old) return null;
  if (overlapMs > 0) checkLimit((await findUsable(db, accountId, now)).length);
  const ending =
    overlapMs === 0
      ? { revoked_at: now }
      : { expires_at: Math.min(now + overlapMs, old.expires_at ?? Number.POSITIVE_INFINITY) };
  await db.updateTable('api_keys').set(ending).where('id', '=', id).execute();
  await deleteOldestEnded(db, accountId, now);
  const { name, test, scope } = old;
  const replacement = await writeKey(
    db,
    // The expiry of the old key is not the new key's.
    { accountId, name, sha256, lastFour, test: test === 1, scope: toKeyScope(scope), expiresAt: null },
    now,
  );
  return { replaced: { ...old, ...ending }, replacement };
}

/** @returns null when the account has no active key with that id. */
export async function revokeKeyOf(
  db: StorageEngine['db'],
  { accountId, id }: { readonly accountId: string; readonly id: string },
  now: number,
): Promise<KeyRow | null> {
  const row = await db
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

function findUsable(db: StorageEngine['db'], accountId: string, now: number) {
  return db
    .selectFrom('api_keys')
    .select(['name', 'last_four'])
    .where('account_id', '=', accountId)
    .where(isUsableAt(now))
    .execute();
}

function checkLimit(usable: number): void {
  if (usable < MAX_USABLE_KEYS) return;
  throw new StorageConflictError(
    `The account has ${usable} usable keys, which is the limit: revoke one first.`,
  );
}

/** Keys that are not revoked and not expired. */
export function isUsableAt(now: number) {
  return (where: ExpressionBuilder<StorageSchema, 'api_keys'>) =>
    where.and([
      where('revoked_at', 'is', null),
      where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]),
    ]);
}

function writeKey(db: StorageEngine['db'], key: NewApiKey, now: number): Promise<KeyRow> {
  return db
    .insertInto('api_keys')
    .values({
      id: randomUUID(),
      account_id: key.accountId,
      name: key.name,
      sha256: key.sha256,
      last_four: key.lastFour,
      test: key.test ? 1 : 0,
      scope: key.scope ?? null,
      created_at: now,
      expires_at: key.expiresAt,
      revoked_at: null,
      last_used_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Bounds the rows of an account that creates and revokes keys all day. */
async function deleteOldestEnded(db: StorageEngine['db'], accountId: string, now: number): Promise<void> {
  const oldest = await db
    .selectFrom('api_keys')
    .select('id')
    .where('account_id', '=', accountId)
    .where((where) => where.not(isUsableAt(now)(where)))
    .orderBy('created_at', 'desc')
    .offset(MAX_KEPT_KEYS - MAX_USABLE_KEYS)
    .limit(MAX_KEPT_KEYS)
    .execute();
  if (oldest.length === 0) return;
  await db
    .deleteFrom('api_keys')
    .where(
      'id',
      'in',
      oldest.map(({ id }) => id),
    )
    .execute();
}

/** By name, last four or id. An expired key often has the name of its successor, so only usable keys are searched. */
export async function revokeKey(db: StorageEngine['db'], text: string, now: number): Promise<KeyRow[]> {
  const matches = await db
    .selectFrom('api_keys')
    .selectAll()
    .where(isUsableAt(now))
    .where((where) =>
      where.or([where('name', '=', text), where('last_four', '=', text), where('id', '=', text)]),
    )
    .execute();
  const [match, ...others] = matches;
  if (!match) return [];
  if (others.length > 0) {
    const keys = matches.map((key) => `"${key.name}" ending in ${key.last_four} (id ${key.id})`).join(', ');
    throw new StorageConflictError(
      `"${text}" fits several keys: ${keys}. Nothing was revoked: give the id of one key.`,
    );
  }
  await db.updateTable('api_keys').set({ revoked_at: now }).where('id', '=', match.id).execute();
  return [{ ...match, revoked_at: now }];
}

export function toApiKey(row: KeyRow): ApiKey {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    lastFour: row.last_four,
    test: row.test === 1,
    scope: toKeyScope(row.scope),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
  };
}
