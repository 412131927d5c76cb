import type { Kysely, Selectable } from 'kysely';
import type { Clock } from '../../clock.ts';
import type { StorageEngine } from '../engine/engine.ts';
import { BUDGET_WINDOW_MS, budgetWaits, countMail, longestWaitMs } from '../held-signups/mail-budgets.ts';
import { ACCOUNTS_LOCK, MAILS_LOCK } from '../locks.ts';
import { StorageConflictError } from '../storage-error.ts';
import type { StorageSchema } from '../storage-schema.ts';
import type { AccountTokensTable } from './account-tables.ts';
import type {
  AccountToken,
  AccountTokenKind,
  AccountTokenStore,
  MailCount,
  NewAccountToken,
} from './account-token-store.ts';
import { toAccount } from './create-account-store.ts';
import { freeName, hasOperator, insertUser, storePassword } from './create-user-store.ts';

type Database = Kysely<StorageSchema>;

const CLOSED = { done: false, because: 'closed' } as const;
const TAKEN = { done: false, because: 'taken' } as const;

export function createAccountTokenStore(
  { db, transact, lock }: StorageEngine,
  clock: Clock,
): AccountTokenStore {
  const change = <T>(work: (trx: Database) => Promise<T>): Promise<T> =>
    transact(async (trx) => {
      await lock(trx, [ACCOUNTS_LOCK]);
      return work(trx);
    });
  return {
    create: (token) =>
      change(async (trx) => {
        if (!(await allowsLink(trx, token))) throw new StorageConflictError('The account is closed.');
        await insertToken(trx, token, clock());
      }),
    createFirstSetUp: (token) =>
      change(async (trx) => {
        if (await hasOperator(trx)) return { created: false, validUntil: null };
        const now = clock();
        const earlier = await trx
          .selectFrom('account_tokens')
          .select('expires_at')
          .where('kind', '=', 'set-up')
          .where('account_id', 'is', null)
          .where('expires_at', '>', now)
          .executeTakeFirst();
        if (earlier) return { created: false, validUntil: earlier.expires_at };
        await insertToken(trx, token, now);
        return { created: true };
      }),
    createForMail: (token, mail) =>
      change(async (trx) => {
        if (!(await allowsLink(trx, token))) return 'closed';
        await lock(trx, [MAILS_LOCK]);
        const now = clock();
        const isTaken =
          token.kind === 'password-reset'
            ? await takeResetMail(trx, { token, mail, now })
            : await takeMail(trx, mail, now);
        if (!isTaken) return 'over-budget';
        await insertToken(trx, token, now);
        return 'stored';
      }),
    countMail: (mail) =>
      transact(async (trx) => {
        await lock(trx, [MAILS_LOCK]);
        return takeMail(trx, mail, clock());
      }),
    async find(id) {
      const row = await db
        .selectFrom('account_tokens')
        .selectAll()
        .where('id', '=', id)
        .where('expires_at', '>', clock())
        .executeTakeFirst();
      return row ? toToken(row) : null;
    },
    makeFirstOperator: ({ id, password, email, plan }) =>
      change(async (trx) => {
        const now = clock();
        const token = await useUp(trx, { id, kinds: ['set-up'], now });
        if (!token || token.accountId !== null || (await hasOperator(trx))) return CLOSED;
        const account = await insertUser(trx, { email, role: 'operator', plan }, { password, now });
        return account ? { done: true, account } : promote(trx, { email, password, now });
      }),
    register: ({ id, password, plan }) =>
      change(async (trx) => {
        const now = clock();
        const token = await useUp(trx, { id, kinds: ['registration'], now });
        if (!token || token.email === null) return CLOSED;
        const person = { email: token.email, role: 'member', plan } as const;
        const account = await insertUser(trx, person, { password, now });
        return account ? { done: true, account } : TAKEN;
      }),
    choosePassword: ({ id, password }) =>
      change(async (trx) => {
        const now = clock();
        const token = await useUp(trx, { id, kinds: ['set-up', 'password-reset'], now });
        if (!token || token.accountId === null) return CLOSED;
        const { accountId } = token;
        await storePassword(trx, { accountId, password, now });
        await trx.deleteFrom('sessions').where('account_id', '=', accountId).execute();
        const row = await trx
          .selectFrom('accounts')
          .selectAll()
          .where('id', '=', accountId)
          .executeTakeFirstOrThrow();
        return { done: true, account: toAccount(row) };
      }),
    confirmEmail: (id) =>
      change(async (trx) => {
        const token = await useUp(trx, { id, kinds: ['email-change'], now: clock() });
        if (!token || token.accountId === null || token.email === null) return CLOSED;
        return moveToEmail(trx, token.accountId, token.email);
      }),
  };
}

/**
 * Whether the account is open and its password is still the one that allowed the link. The caller holds the lock under
 * which an account is closed and a password is changed. Both delete the links that are already stored.
 */
async function allowsLink(
  trx: Database,
  { accountId, passwordChangedAt }: NewAccountToken,
): Promise<boolean> {
  if (accountId === null) return true;
  const account = await trx
    .selectFrom('accounts')
    .select('password_changed_at')
    .where('id', '=', accountId)
    .where('email', 'is not', null)
    .executeTakeFirst();
  if (!account) return false;
  return passwordChangedAt === undefined || passwordChangedAt === account.password_changed_at;
}

async function insertToken(trx: Database, token: NewAccountToken, now: number): Promise<void> {
  // A new set-up link for the first operator invalidates earlier ones, which may be in old logs.
  if (token.kind === 'set-up' && token.accountId === null) {
    await trx
      .deleteFrom('account_tokens')
      .where('kind', '=', 'set-up')
      .where('account_id', 'is', null)
      .execute();
  }
  await trx
    .insertInto('account_tokens')
    .values({
      id: token.id,
      kind: token.kind,
      account_id: token.accountId,
      email: token.email,
      created_at: now,
      expires_at: now + token.lifetimeMs,
    })
    .execute();
}

async function takeMail(trx: Database, { keys, budgets }: MailCount, now: number): Promise<boolean> {
  if (longestWaitMs(await budgetWaits(trx, keys, budgets, now)) > 0) return false;
  await countMail(trx, keys, now);
  return true;
}

/**
 * Password resets have a budget of their own for each account: an attacker who uses up the other budgets, by signing up
 * with the owner's mailbox, cannot prevent the owner's reset. The mail counts against the other budgets as well.
 */
async function takeResetMail(
  trx: Database,
  { token, mail, now }: { readonly token: NewAccountToken; readonly mail: MailCount; readonly now: number },
): Promise<boolean> {
  const { sent } = await trx
    .selectFrom('account_tokens')
    .select(({ fn }) => fn.countAll<number>().as('sent'))
    .where('account_id', '=', token.accountId)
    .where('kind', '=', 'password-reset')
    .where('created_at', '>', now - BUDGET_WINDOW_MS)
    .executeTakeFirstOrThrow();
  if (Number(sent) >= mail.budgets.mailbox) return false;
  await countMail(trx, mail.keys, now);
  return true;
}

/** The first use deletes the row. Of two simultaneous uses, only one finds it. */
async function useUp(
  trx: Database,
  use: { readonly id: string; readonly kinds: readonly AccountTokenKind[]; readonly now: number },
): Promise<AccountToken | null> {
  const row = await trx
    .deleteFrom('account_tokens')
    .where('id', '=', use.id)
    .where('kind', 'in', use.kinds)
    .where('expires_at', '>', use.now)
    .returningAll()
    .executeTakeFirst();
  return row ? toToken(row) : null;
}

function toToken(row: Selectable<AccountTokensTable>): AccountToken {
  return {
    id: row.id,
    kind: row.kind,
    accountId: row.account_id,
    email: row.email,
    expiresAt: row.expires_at,
  };
}

/** The member with that email, who was invited or registered before the first operator existed. */
async function promote(
  trx: Database,
  { email, password, now }: { readonly email: string; readonly password: string; readonly now: number },
) {
  const { id } = await trx
    .updateTable('accounts')
    .set({ role: 'operator' })
    .where('email', '=', email)
    .returning('id')
    .executeTakeFirstOrThrow();
  await storePassword(trx, { accountId: id, password, now });
  await trx.deleteFrom('sessions').where('account_id', '=', id).execute();
  const row = await trx.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  return { done: true, account: toAccount(row) } as const;
}

async function moveToEmail(trx: Database, accountId: string, email: string) {
  const taken = await trx.selectFrom('accounts').select('id').where('email', '=', email).executeTakeFirst();
  if (taken && taken.id !== accountId) return TAKEN;
  const before = await trx
    .selectFrom('accounts')
    .select(['email', 'name'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  const row = await trx
    .updateTable('accounts')
    .set({ email, name: await freeName(trx, email, accountId) })
    .where('id', '=', accountId)
    .returningAll()
    .executeTakeFirstOrThrow();
  // Links that were sent to the old mailbox become invalid.
  await trx.deleteFrom('account_tokens').where('account_id', '=', accountId).execute();
  return { done: true, account: toAccount(row), before: before.email ?? before.name } as const;
}
