import type { Kysely, Selectable } from 'kysely';
import type { Clock } from '../../clock.ts';
import type { StorageEngine } from '../engine/engine.ts';
import { ACCOUNTS_LOCK } from '../locks.ts';
import type { StorageSchema } from '../storage-schema.ts';
import type { PasskeysTable } from './account-tables.ts';
import { toAccount } from './create-account-store.ts';
import { MAX_PASSKEYS, type Passkey, type PasskeyStore } from './passkey-store.ts';

/** A user answers the newest challenge. This limit and that of the sessions bound the table. */
const MAX_PER_SESSION = 5;

export function createPasskeyStore({ db, transact, lock }: StorageEngine, clock: Clock): PasskeyStore {
  return {
    async createChallenge({ id, sessionId, lifetimeMs }) {
      const now = clock();
      await transact(async (trx) => {
        await trx
          .deleteFrom('passkey_challenges')
          .where(({ eb, or, selectFrom }) =>
            or([
              eb('expires_at', '<=', now),
              eb('session_id', 'is', null),
              eb('session_id', 'not in', selectFrom('sessions').select('id')),
            ]),
          )
          .execute();
        await makeRoomFor(trx, sessionId);
        await trx
          .insertInto('passkey_challenges')
          .values({ id, session_id: sessionId, expires_at: now + lifetimeMs })
          .execute();
      });
    },

    async useChallenge(id, sessionId) {
      const { numDeletedRows } = await transact((trx) =>
        trx
          .deleteFrom('passkey_challenges')
          .where('id', '=', id)
          .where('session_id', '=', sessionId)
          .where('expires_at', '>', clock())
          .executeTakeFirst(),
      );
      return numDeletedRows > 0n;
    },

    add: (passkey) =>
      transact(async (trx) => {
        await lock(trx, [ACCOUNTS_LOCK]);
        const { count } = await trx
          .selectFrom('passkeys')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('account_id', '=', passkey.accountId)
          .executeTakeFirstOrThrow();
        if (Number(count) >= MAX_PASSKEYS) return false;
        const row = await trx
          .insertInto('passkeys')
          .values({
            id: passkey.id,
            account_id: passkey.accountId,
            public_key: passkey.publicKey,
            counter: passkey.counter,
            transports: JSON.stringify(passkey.transports),
            name: passkey.name,
            created_at: clock(),
            last_used_at: null,
          })
          .onConflict((conflict) => conflict.column('id').doNothing())
          .returning('id')
          .executeTakeFirst();
        return row !== undefined;
      }),

    async find(id) {
      const row = await db.selectFrom('passkeys').selectAll().where('id', '=', id).executeTakeFirst();
      if (!row) return null;
      const account = await db
        .selectFrom('accounts')
        .selectAll()
        .where('id', '=', row.account_id)
        .executeTakeFirst();
      return account ? { passkey: toPasskey(row), account: toAccount(account) } : null;
    },

    async list(accountId) {
      const rows = await db
        .selectFrom('passkeys')
        .selectAll()
        .where('account_id', '=', accountId)
        .orderBy('created_at')
        .orderBy('id')
        .limit(MAX_PASSKEYS)
        .execute();
      return rows.map(toPasskey);
    },

    async markUsed(id, { before, after, challengeAt, lifetimeMs }) {
      const now = clock();
      const { numUpdatedRows } = await transact((trx) =>
        trx
          .updateTable('passkeys')
          .set({ counter: after, last_used_at: Math.max(now, challengeAt) })
          .where('id', '=', id)
          .where('counter', '=', before)
          .where(({ eb, or }) =>
            or([
              eb('last_used_at', 'is', null),
              eb('last_used_at', '<', challengeAt),
              eb('last_used_at', '>', now + lifetimeMs),
            ]),
          )
          .executeTakeFirst(),
      );
      return numUpdatedRows > 0n;
    },

    async remove(id, accountId) {
      const row = await transact(async (trx) => {
        await lock(trx, [ACCOUNTS_LOCK]);
        return trx
          .deleteFrom('passkeys')
          .where('id', '=', id)
          .where('account_id', '=', accountId)
          .returningAll()
          .executeTakeFirst();
      });
      return row ? toPasskey(row) : null;
    },

    async removeAll(accountId) {
      const { numDeletedRows } = await transact((trx) =>
        trx.deleteFrom('passkeys').where('account_id', '=', accountId).executeTakeFirst(),
      );
      return Number(numDeletedRows);
    },
  };
}

/** Deletes the oldest challenges of the session. */
async function makeRoomFor(trx: Kysely<StorageSchema>, sessionId: string): Promise<void> {
  const surplus = trx
    .selectFrom('passkey_challenges')
    .select('id')
    .where('session_id', '=', sessionId)
    .orderBy('expires_at', 'desc')
    .limit(MAX_PER_SESSION)
    .offset(MAX_PER_SESSION - 1);
  await trx.deleteFrom('passkey_challenges').where('id', 'in', surplus).execute();
}

function toPasskey(row: Selectable<PasskeysTable>): Passkey {
  return {
    id: row.id,
    accountId: row.account_id,
    publicKey: row.public_key,
    counter: row.counter,
    transports: JSON.parse(row.transports) as readonly string[],
    name: row.name,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  };
}
