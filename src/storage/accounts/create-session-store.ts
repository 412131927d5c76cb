import type { Selectable } from 'kysely';
import type { Clock } from '../../clock.ts';
import type { StorageEngine } from '../engine/engine.ts';
import type { SessionsTable } from './account-tables.ts';
import { toAccount } from './create-account-store.ts';
import type { Session, SessionStore } from './session-store.ts';

const DAY_MS = 86_400_000;
const MAX_AGE_MS = 30 * DAY_MS;
const MAX_IDLE_MS = 7 * DAY_MS;
/** `lastSeenAt` is written at most this often. */
const SEEN_EVERY_MS = 60_000;
const MAX_PER_ACCOUNT = 50;
const STEP_ROWS = 250;
const EXPIRING = ['sessions', 'account_tokens', 'pending_sign_ins'] as const;

export function createSessionStore(engine: StorageEngine, clock: Clock): SessionStore {
  const { db, transact } = engine;

  async function markSeen(session: Session, now: number): Promise<Session> {
    const seen = { ...session, lastSeenAt: now, expiresAt: expiryOf(session.createdAt, now) };
    await transact((trx) =>
      trx
        .updateTable('sessions')
        .set({ last_seen_at: seen.lastSeenAt, expires_at: seen.expiresAt })
        .where('id', '=', session.id)
        .execute(),
    );
    return seen;
  }

  return {
    async create(given, passwordChangedAt, twoFactorSince = null) {
      const now = clock();
      const { byPasskey = false } = given;
      const session = { ...given, byPasskey, createdAt: now, lastSeenAt: now, expiresAt: expiryOf(now, now) };
      return transact(async (trx) => {
        const { numUpdatedRows } = await trx
          .updateTable('accounts')
          .set({ last_signed_in_at: now })
          .where('id', '=', session.accountId)
          .where('password_changed_at', 'is not distinct from', passwordChangedAt)
          .where('two_factor_since', 'is not distinct from', twoFactorSince)
          .executeTakeFirst();
        if (numUpdatedRows === 0n) return null;
        await trx
          .insertInto('sessions')
          .values({
            id: session.id,
            account_id: session.accountId,
            created_at: now,
            last_seen_at: now,
            expires_at: session.expiresAt,
            browser: session.browser,
            network: session.network,
            by_passkey: byPasskey ? 1 : 0,
          })
          .execute();
        const surplus = trx
          .selectFrom('sessions')
          .select('id')
          .where('account_id', '=', session.accountId)
          .where('id', '!=', session.id)
          .orderBy('last_seen_at', 'desc')
          .limit(MAX_PER_ACCOUNT)
          .offset(MAX_PER_ACCOUNT - 1);
        await trx.deleteFrom('sessions').where('id', 'in', surplus).execute();
        return session;
      });
    },

    async find(id) {
      const now = clock();
      const row = await db
        .selectFrom('sessions')
        .selectAll()
        .where('id', '=', id)
        .where('expires_at', '>', now)
        .executeTakeFirst();
      if (!row) return null;
      const account = await db
        .selectFrom('accounts')
        .selectAll()
        .where('id', '=', row.account_id)
        .executeTakeFirstOrThrow();
      const session = toSession(row);
      const isRecent = now - session.lastSeenAt < SEEN_EVERY_MS;
      return { session: isRecent ? session : await markSeen(session, now), account: toAccount(account) };
    },

    async list(accountId) {
      const rows = await db
        .selectFrom('sessions')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('expires_at', '>', clock())
        .orderBy('last_seen_at', 'desc')
        .limit(MAX_PER_ACCOUNT)
        .execute();
      return rows.map(toSession);
    },

    async markByPasskey(id) {
      await transact((trx) =>
        trx.updateTable('sessions').set({ by_passkey: 1 }).where('id', '=', id).execute(),
      );
    },

    async end(id, accountId) {
      const { numDeletedRows } = await transact((trx) =>
        trx
          .deleteFrom('sessions')
          .where('id', '=', id)
          .where('account_id', '=', accountId)
          .executeTakeFirst(),
      );
      return numDeletedRows > 0n;
    },

    async endAll(accountId, keep) {
      const { numDeletedRows } = await transact((trx) =>
        trx
          .deleteFrom('sessions')
          .where('account_id', '=', accountId)
          .where('id', '!=', keep ?? '')
          .executeTakeFirst(),
      );
      return Number(numDeletedRows);
    },

    async deleteExpired(now = clock()) {
      await transact((trx) =>
        trx.deleteFrom('second_factor_setups').where('expires_at', '<=', now).execute(),
      );
      let deleted = 0;
      for (const table of EXPIRING) deleted += await deleteExpiredFrom(engine, table, now);
      return deleted;
    },
  };
}

/** Thirty days after the sign-in, or seven days after the session was last seen. */
function expiryOf(createdAt: number, seenAt: number): number {
  return Math.min(createdAt + MAX_AGE_MS, seenAt + MAX_IDLE_MS);
}

async function deleteExpiredFrom(
  { transact }: StorageEngine,
  table: (typeof EXPIRING)[number],
  now: number,
): Promise<number> {
  for (let deleted = 0; ; ) {
    const { numDeletedRows } = await transact((trx) =>
      trx
        .deleteFrom(table)
        .where('id', 'in', trx.selectFrom(table).select('id').where('expires_at', '<=', now).limit(STEP_ROWS))
        .executeTakeFirst(),
    );
    deleted += Number(numDeletedRows);
    if (numDeletedRows < STEP_ROWS) return deleted;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function toSession(row: Selectable<SessionsTable>): Session {
  return {
    id: row.id,
    accountId: row.account_id,
    browser: row.browser,
    network: row.network,
    byPasskey: row.by_passkey === 1,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    expiresAt: row.expires_at,
  };
}
