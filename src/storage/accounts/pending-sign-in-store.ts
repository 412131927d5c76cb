import type { Clock } from '../../clock.ts';
import type { StorageEngine } from '../engine/engine.ts';
import type { Account } from './account-store.ts';
import { toAccount } from './create-account-store.ts';

/** Sign-ins that wait for the second step. They open no page but that of the second step. */
export interface PendingSignInStore {
  create(pending: NewPendingSignIn): Promise<void>;
  /**
   * The account of a sign-in that still waits. Null when it was used or has expired, or when the password has changed
   * since.
   */
  find(id: string): Promise<Account | null>;
  /** Uses up the sign-in. True only once. */
  end(id: string): Promise<boolean>;
}

export interface NewPendingSignIn {
  /** SHA-256 of the cookie's token, hex. */
  readonly id: string;
  readonly account: Pick<Account, 'id' | 'passwordChangedAt'>;
  readonly lifetimeMs: number;
}

/**
 * The largest number for one account; a new one replaces the oldest. Only a sender with the right password can make
 * one.
 */
const MAX_PER_ACCOUNT = 20;

export function createPendingSignInStore({ db, transact }: StorageEngine, clock: Clock): PendingSignInStore {
  return {
    async create({ id, account, lifetimeMs }) {
      const now = clock();
      await transact(async (trx) => {
        await trx
          .insertInto('pending_sign_ins')
          .values({
            id,
            account_id: account.id,
            password_changed_at: account.passwordChangedAt,
            created_at: now,
            expires_at: now + lifetimeMs,
          })
          .execute();
        const surplus = trx
          .selectFrom('pending_sign_ins')
          .select('id')
          .where('account_id', '=', account.id)
          .where('id', '!=', id)
          .orderBy('created_at', 'desc')
          .limit(MAX_PER_ACCOUNT)
          .offset(MAX_PER_ACCOUNT - 1);
        await trx.deleteFrom('pending_sign_ins').where('id', 'in', surplus).execute();
      });
    },

    async find(id) {
      const row = await db
        .selectFrom('pending_sign_ins')
        .innerJoin('accounts', 'accounts.id', 'pending_sign_ins.account_id')
        .selectAll('accounts')
        .where('pending_sign_ins.id', '=', id)
        .where('pending_sign_ins.expires_at', '>', clock())
        .whereRef(
          'pending_sign_ins.password_changed_at',
          'is not distinct from',
          'accounts.password_changed_at',
        )
        .executeTakeFirst();
      return row ? toAccount(row) : null;
    },

    async end(id) {
      const { numDeletedRows } = await transact((trx) =>
        trx.deleteFrom('pending_sign_ins').where('id', '=', id).executeTakeFirst(),
      );
      return numDeletedRows > 0n;
    },
  };
}
