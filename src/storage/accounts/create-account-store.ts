import { randomUUID } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import type { Clock } from '../../clock.ts';
import type { StorageEngine } from '../engine/engine.ts';
import { ACCOUNTS_LOCK } from '../locks.ts';
import { StorageConflictError } from '../storage-error.ts';
import type { Account, AccountStore } from './account-store.ts';
import type { AccountsTable } from './account-tables.ts';

export function createAccountStore(
  { db, reader, transact, lock }: StorageEngine,
  clock: Clock,
): AccountStore {
  const newRow = (name: string, plan: string) => ({ id: randomUUID(), name, plan, created_at: clock() });

  async function findByName(name: string): Promise<Account | null> {
    const row = await db.selectFrom('accounts').selectAll().where('name', '=', name).executeTakeFirst();
    return row ? toAccount(row) : null;
  }

  return {
    async find(id) {
      const row = await db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst();
      return row ? toAccount(row) : null;
    },
    findByName,
    async page({ after, limit, text }) {
      // A search for a text reads every account.
      let query = (text === null ? db : reader)
        .selectFrom('accounts')
        .selectAll()
        .orderBy('name')
        .limit(limit);
      if (after !== null) query = query.where('name', '>', after);
      if (text !== null) {
        const pattern = `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
        query = query.where(sql<boolean>`lower(name) LIKE ${pattern} ESCAPE '\\'`);
      }
      return (await query.execute()).map(toAccount);
    },
    async create({ name, plan }) {
      const row = await transact(async (trx) => {
        await lock(trx, [ACCOUNTS_LOCK]);
        return trx
          .insertInto('accounts')
          .values(newRow(name, plan))
          .onConflict((conflict) => conflict.column('name').doNothing())
          .returningAll()
          .executeTakeFirst();
      });
      if (!row) throw new StorageConflictError(`An account named "${name}" already exists.`);
      return toAccount(row);
    },
    async setPlan(id, plan) {
      await transact((trx) => trx.updateTable('accounts').set({ plan }).where('id', '=', id).execute());
    },
    async ensure({ name, plan }) {
      const present = await findByName(name);
      if (present?.plan === plan) return present;
      const row = await transact(async (trx) => {
        await lock(trx, [ACCOUNTS_LOCK]);
        return trx
          .insertInto('accounts')
          .values(newRow(name, plan))
          .onConflict((conflict) => conflict.column('name').doUpdateSet({ plan }))
          .returningAll()
          .executeTakeFirstOrThrow();
      });
      return toAccount(row);
    },
  };
}

export function toAccount(row: Selectable<AccountsTable>): Account {
  return {
    id: row.id,
    name: row.name,
    plan: row.plan,
    createdAt: row.created_at,
    email: row.email,
    role: row.role,
    passwordChangedAt: row.password_changed_at,
    lastSignedInAt: row.last_signed_in_at,
    twoFactorSince: row.two_factor_since,
  };
}
