import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Clock } from '../../clock.ts';
import type { StorageEngine } from '../engine/engine.ts';
import { ACCOUNTS_LOCK, keysLockOf } from '../locks.ts';
import { StorageConflictError } from '../storage-error.ts';
import type { StorageSchema } from '../storage-schema.ts';
import type { Account } from './account-store.ts';
import { toAccount } from './create-account-store.ts';
import { deleteSecondFactor } from './create-two-factor-store.ts';
import type { NewUser, UserStore } from './user-store.ts';

type Database = Kysely<StorageSchema>;

export function createUserStore({ db, transact, lock }: StorageEngine, clock: Clock): UserStore {
  return {
    async findByEmail(email) {
      const row = await db.selectFrom('accounts').selectAll().where('email', '=', email).executeTakeFirst();
      return row ? toAccount(row) : null;
    },
    async findPassword(email) {
      const row = await db.selectFrom('accounts').selectAll().where('email', '=', email).executeTakeFirst();
      return row ? { account: toAccount(row), password: row.password } : null;
    },
    async findPasswordOf(accountId) {
      const row = await db
        .selectFrom('accounts')
        .select('password')
        .where('id', '=', accountId)
        .executeTakeFirst();
      return row?.password ?? null;
    },
    hasOperator: () => hasOperator(db),
    async invite(person, invitedBy = null) {
      const account = await transact(async (trx) => {
        await lock(trx, [ACCOUNTS_LOCK]);
        return insertUser(trx, person, { password: null, now: clock(), invitedBy });
      });
      if (account) return account;
      throw new StorageConflictError(`An account with the email ${person.email} already exists.`);
    },
    async openInvitations(limit) {
      const rows = await db
        .selectFrom('accounts')
        .leftJoin('accounts as inviter', 'inviter.id', 'accounts.invited_by')
        .selectAll('accounts')
        .select([
          'inviter.name as inviter_name',
          ({ selectFrom }) =>
            selectFrom('account_tokens')
              .select(({ fn }) => fn.max('expires_at').as('expires_at'))
              .whereRef('account_tokens.account_id', '=', 'accounts.id')
              .where('kind', '=', 'set-up')
              .as('link_expires_at'),
        ])
        .where('accounts.password', 'is', null)
        .where('accounts.email', 'is not', null)
        .orderBy('accounts.created_at', 'desc')
        .limit(limit)
        .execute();
      return rows.map((row) => ({
        account: toAccount(row),
        invitedBy: row.inviter_name,
        expiresAt: row.link_expires_at,
      }));
    },
    withdraw: (accountId) =>
      transact(async (trx) => {
        await lock(trx, [ACCOUNTS_LOCK, keysLockOf(accountId)]);
        const invited = await trx
          .selectFrom('accounts')
          .select('id')
          .where('id', '=', accountId)
          .where('password', 'is', null)
          .where('email', 'is not', null)
          .executeTakeFirst();
        if (!invited) return false;
        await trx.deleteFrom('account_tokens').where('account_id', '=', accountId).execute();
        const keys = trx.selectFrom('api_keys').select('id').where('account_id', '=', accountId);
        const { numDeletedRows } = await trx
          .deleteFrom('accounts')
          .where('id', '=', accountId)
          .where(({ not, exists }) => not(exists(keys)))
          .executeTakeFirst();
        if (numDeletedRows === 0n) await closeAccount(trx, accountId, clock());
        return true;
      }),
    setRole: (accountId, role) =>
      transact(async (trx) => {
        await lock(trx, [ACCOUNTS_LOCK]);
        const row = await trx
          .updateTable('accounts')
          .set({ role })
          .where('id', '=', accountId)
          .returningAll()
          .executeTakeFirst();
        if (!row) return null;
        if (row.email === null) {
          throw new StorageConflictError(
            `The account "${row.name}" has API keys only and no email: it cannot sign in.`,
          );
        }
        if (role !== 'operator' && row.password !== null) await requireOperator(trx);
        return toAccount(row);
      }),
    close: (accountId) =>
      transact(async (trx) => {
        await lock(trx, [ACCOUNTS_LOCK, keysLockOf(accountId)]);
        const before = await trx
          .selectFrom('accounts')
          .select(['role', 'password'])
          .where('id', '=', accountId)
          .executeTakeFirst();
        if (!before) return false;
        await closeAccount(trx, accountId, clock());
        if (before.role === 'operator' && before.password !== null) await requireOperator(trx);
        return true;
      }),
    changePassword: ({ accountId, password, keepSession }) =>
      transact(async (trx) => {
        await lock(trx, [ACCOUNTS_LOCK]);
        await storePassword(trx, { accountId, password, now: clock() });
        await trx
          .deleteFrom('sessions')
          .where('account_id', '=', accountId)
          .where('id', '!=', keepSession)
          .execute();
      }),
    async list({ after, limit }) {
      const rows = await db
        .selectFrom('accounts')
        .selectAll()
        .where('email', '>', after ?? '')
        .orderBy('email')
        .limit(limit)
        .execute();
      return rows.map(toAccount);
    },
  };
}

/** Sessions, links and the second factor end with it; keys are revoked. */
async function closeAccount(trx: Database, accountId: string, now: number): Promise<void> {
  const name = `closed account ${accountId.slice(0, 8)}`;
  await trx
    .updateTable('accounts')
    .set({
      name,
      email: null,
      password: null,
      password_changed_at: null,
      role: 'member',
      two_factor_since: null,
    })
    .where('id', '=', accountId)
    .execute();
  for (const table of ['sessions', 'account_tokens', 'passkeys'] as const) {
    await trx.deleteFrom(table).where('account_id', '=', accountId).execute();
  }
  await deleteSecondFactor(trx, accountId);
  await trx
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .execute();
}

/** An invited operator without a password cannot sign in yet, and does not count. */
export async function hasOperator(db: Database): Promise<boolean> {
  const row = await db
    .selectFrom('accounts')
    .select('id')
    .where('role', '=', 'operator')
    .where('password', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** To be called after the change, in its transaction: the error rolls the change back. */
async function requireOperator(trx: Database): Promise<void> {
  if (await hasOperator(trx)) return;
  throw new StorageConflictError('At least one operator is required: make another user an operator first.');
}

/** Null when an account has that email. The name differs from the email when another account has that name. */
export async function insertUser(
  trx: Database,
  { email, role, plan }: NewUser,
  given: { readonly password: string | null; readonly now: number; readonly invitedBy?: string | null },
): Promise<Account | null> {
  const { password, now, invitedBy = null } = given;
  const id = randomUUID();
  const row = await trx
    .insertInto('accounts')
    .values({
      id,
      email,
      role,
      plan,
      password,
      created_at: now,
      name: await freeName(trx, email, id),
      password_changed_at: password === null ? null : now,
      last_signed_in_at: null,
      invited_by: invitedBy,
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returningAll()
    .executeTakeFirst();
  return row ? toAccount(row) : null;
}

/** A unique name: the command line identifies accounts by name. */
export async function freeName(trx: Database, email: string, id: string): Promise<string> {
  const taken = await trx
    .selectFrom('accounts')
    .select('id')
    .where('name', '=', email)
    .where('id', '!=', id)
    .executeTakeFirst();
  return taken ? `${email} (${id.slice(0, 8)})` : email;
}

/** Links in earlier mails become invalid. */
export async function storePassword(
  trx: Database,
  change: { readonly accountId: string; readonly password: string; readonly now: number },
): Promise<void> {
  await trx
    .updateTable('accounts')
    .set({ password: change.password, password_changed_at: change.now })
    .where('id', '=', change.accountId)
    .execute();
  await trx.deleteFrom('account_tokens').where('account_id', '=', change.accountId).execute();
}
