import type { Kysely } from 'kysely';
import type { Clock } from '../../clock.ts';
import type { StorageEngine } from '../engine/engine.ts';
import { ACCOUNTS_LOCK } from '../locks.ts';
import type { StorageSchema } from '../storage-schema.ts';
import type { TwoFactorStore } from './two-factor-store.ts';

type Database = Kysely<StorageSchema>;

const DAY_MS = 86_400_000;
/**
 * The largest number of wrong codes in a day. At any time, three codes of a million are right, so 20 tries a day find
 * one with a probability of 2 % in a year. NIST SP 800-63B section 5.2.2 allows 100 tries in a row.
 */
const MAX_FAILURES = { failures_unknown: 20, failures_known: 50 } as const;

export function createTwoFactorStore({ db, transact, lock }: StorageEngine, clock: Clock): TwoFactorStore {
  return {
    async find(accountId) {
      const row = await db
        .selectFrom('second_factors')
        .select([
          'sealed_secret',
          ({ selectFrom }) =>
            selectFrom('recovery_codes')
              .select(({ fn }) => fn.countAll<number>().as('left'))
              .where('account_id', '=', accountId)
              .as('codes'),
        ])
        .where('account_id', '=', accountId)
        .executeTakeFirst();
      return row ? { sealedSecret: row.sealed_secret, recoveryCodesLeft: Number(row.codes) } : null;
    },

    async beginSetUp({ accountId, sessionId, sealedSecret, lifetimeMs }) {
      const setUp = {
        session_id: sessionId,
        sealed_secret: sealedSecret,
        expires_at: clock() + lifetimeMs,
      };
      await transact((trx) =>
        trx
          .insertInto('second_factor_setups')
          .values({ account_id: accountId, ...setUp })
          .onConflict((conflict) => conflict.column('account_id').doUpdateSet(setUp))
          .execute(),
      );
    },

    async findSetUp(accountId, sessionId) {
      const row = await db
        .selectFrom('second_factor_setups')
        .select('sealed_secret')
        .where('account_id', '=', accountId)
        .where('session_id', '=', sessionId)
        .where('expires_at', '>', clock())
        .executeTakeFirst();
      return row?.sealed_secret ?? null;
    },

    turnOn: ({ accountId, sessionId, sealedSecret, step, recoveryCodes }) =>
      transact(async (trx) => {
        await lock(trx, [ACCOUNTS_LOCK]);
        const now = clock();
        const setUp = await trx
          .deleteFrom('second_factor_setups')
          .where('account_id', '=', accountId)
          .where('session_id', '=', sessionId)
          .where('sealed_secret', '=', sealedSecret)
          .where('expires_at', '>', now)
          .executeTakeFirst();
        if (setUp.numDeletedRows === 0n) return false;
        // This comes before the sessions: a sign-in with only a password at the same moment fails, or its session ends
        // here.
        const { numUpdatedRows } = await trx
          .updateTable('accounts')
          .set({ two_factor_since: now })
          .where('id', '=', accountId)
          .where('email', 'is not', null)
          .where('two_factor_since', 'is', null)
          .executeTakeFirst();
        if (numUpdatedRows === 0n) return false;
        await trx
          .insertInto('second_factors')
          .values({ account_id: accountId, sealed_secret: sealedSecret, last_step: step })
          .execute();
        await insertCodes(trx, accountId, recoveryCodes);
        await trx
          .deleteFrom('sessions')
          .where('account_id', '=', accountId)
          .where('id', '!=', sessionId)
          .execute();
        return true;
      }),

    takeCode: (accountId, { step, isKnownBrowser }) =>
      transact(async (trx) => {
        await lock(trx, [ACCOUNTS_LOCK]);
        const row = await trx
          .selectFrom('second_factors')
          .selectAll()
          .where('account_id', '=', accountId)
          .executeTakeFirst();
        if (!row) return { taken: false, waitMs: 0 };
        const now = clock();
        const isFresh = row.failures_since > now - DAY_MS && row.failures_since <= now;
        const count = isKnownBrowser ? 'failures_known' : 'failures_unknown';
        const failures = isFresh ? row[count] : 0;
        if (failures >= MAX_FAILURES[count])
          return { taken: false, waitMs: row.failures_since + DAY_MS - now };
        const isTaken = step !== null && step > row.last_step;
        await trx
          .updateTable('second_factors')
          .set({
            ...(isFresh ? {} : { failures_unknown: 0, failures_known: 0, failures_since: now }),
            ...(isTaken ? { last_step: step, [count]: 0 } : { [count]: failures + 1 }),
          })
          .where('account_id', '=', accountId)
          .execute();
        return isTaken ? { taken: true } : { taken: false, waitMs: 0 };
      }),

    async takeRecoveryCode(accountId, sha256) {
      const { numDeletedRows } = await transact((trx) =>
        trx
          .deleteFrom('recovery_codes')
          .where('account_id', '=', accountId)
          .where('sha256', '=', sha256)
          .executeTakeFirst(),
      );
      return numDeletedRows > 0n;
    },

    replaceRecoveryCodes: (accountId, sha256s) =>
      transact(async (trx) => {
        await lock(trx, [ACCOUNTS_LOCK]);
        const row = await trx
          .selectFrom('second_factors')
          .select('account_id')
          .where('account_id', '=', accountId)
          .executeTakeFirst();
        if (!row) return false;
        await trx.deleteFrom('recovery_codes').where('account_id', '=', accountId).execute();
        await insertCodes(trx, accountId, sha256s);
        return true;
      }),

    turnOff: (accountId) =>
      transact(async (trx) => {
        await lock(trx, [ACCOUNTS_LOCK]);
        const { numUpdatedRows } = await trx
          .updateTable('accounts')
          .set({ two_factor_since: null })
          .where('id', '=', accountId)
          .where('two_factor_since', 'is not', null)
          .executeTakeFirst();
        await deleteSecondFactor(trx, accountId);
        return numUpdatedRows > 0n;
      }),
  };
}

/** Deletes all data of the second factor of an account, except the mark in the account. */
export async function deleteSecondFactor(trx: Database, accountId: string): Promise<void> {
  const tables = ['second_factors', 'second_factor_setups', 'recovery_codes', 'pending_sign_ins'] as const;
  for (const table of tables) await trx.deleteFrom(table).where('account_id', '=', accountId).execute();
}

async function insertCodes(trx: Database, accountId: string, sha256s: readonly string[]): Promise<void> {
  await trx
    .insertInto('recovery_codes')
    .values(sha256s.map((sha256) => ({ account_id: accountId, sha256 })))
    .execute();
}
