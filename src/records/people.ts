import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Clock } from '../clock.ts';
import { toAccount } from './accounts.ts';
import type { RecordsEngine } from './engine.ts';
import type { NewPerson, People } from './people-records.ts';
import type { Account } from './records.ts';
import { RecordsConflictError } from './records-error.ts';
import type { RecordsSchema } from './schema.ts';

type Database = Kysely<RecordsSchema>;

export function createPeople({ db, transact }: RecordsEngine, clock: Clock): People {
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
    async invite(person) {
      const account = await transact((trx) => insertPerson(trx, person, { password: null, now: clock() }));
      if (account) return account;
      throw new RecordsConflictError(`There is an account with the email ${person.email} already.`);
    },
    setRole: (accountId, role) =>
      transact(async (trx) => {
        const row = await trx
          .updateTable('accounts')
          .set({ role })
          .where('id', '=', accountId)
          .returningAll()
          .executeTakeFirst();
        if (!row) return null;
        // Thrown inside the transaction: it takes the change back.
        if (row.email === null) {
          throw new RecordsConflictError(
            `The account "${row.name}" is of keys alone: nobody signs in to it.`,
          );
        }
        if (role === 'member' && row.password !== null && !(await hasOperator(trx))) {
          throw new RecordsConflictError('Nobody would be left as operator: make somebody else one first.');
        }
        return toAccount(row);
      }),
    changePassword: ({ accountId, password, keepSession }) =>
      transact(async (trx) => {
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

/** An invited operator who has not chosen a password yet can do nothing, and does not count. */
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

/** Null where the email has an account. A name taken by an account of keys is no hindrance: the name is for reading. */
export async function insertPerson(
  trx: Database,
  { email, role, plan }: NewPerson,
  { password, now }: { readonly password: string | null; readonly now: number },
): Promise<Account | null> {
  const id = randomUUID();
  const row = await trx
    .insertInto('accounts')
    .values({
      ...{ id, email, role, plan, password, created_at: now },
      name: await freeName(trx, email, id),
      password_changed_at: password === null ? null : now,
      last_signed_in_at: null,
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returningAll()
    .executeTakeFirst();
  return row ? toAccount(row) : null;
}

/** Accounts are told apart by name on the command line, so that one has to be unique. */
export async function freeName(trx: Database, email: string, id: string): Promise<string> {
  const taken = await trx
    .selectFrom('accounts')
    .select('id')
    .where('name', '=', email)
    .where('id', '!=', id)
    .executeTakeFirst();
  return taken ? `${email} (${id.slice(0, 8)})` : email;
}

/** Links that were mailed before give no way in any more. */
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
