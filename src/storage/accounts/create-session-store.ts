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
    async create(given, passwordChangedAt) {
      const now = clock();
      const session = { ...given, createdAt: now, lastSeenAt: now, expiresAt: expiryOf(now, now) };
      return transact(async (trx) => {
        const { numUpdatedRows } = await trx
          .updateTable('accounts')
          .set({ last_signed_in_at: now })
          .where('id', '=', session.accountId)
          .where('password_changed_at', 'is not distinct from', passwordChangedAt)
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
      const sessions = await deleteExpiredFrom(engine, 'sessions', now);
      return sessions + (await deleteExpiredFrom(engine, 'account_tokens', now));
    },
  };
}

/** Thirty days after the sign-in, or seven days after the session was last seen. */
function expiryOf(createdAt: number, seenAt: number): number {
  return Math.min(createdAt + MAX_AGE_MS, seenAt + MAX_IDLE_MS);
}

async function deleteExpiredFrom(
  { transact }: StorageEngine,
  table: 'sessions' | 'account_tokens',
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
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    expiresAt: row.expires_at,
  };
}
