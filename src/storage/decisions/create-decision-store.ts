import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import { configuredRevisionOf, type Policy } from '../../assessment/policy.ts';
import type { Clock } from '../../clock.ts';
import type { StorageEngine } from '../engine/engine.ts';
import { deleteCorrections } from '../held-signups/suggestions.ts';
import { eraseMailboxFromLists } from '../lists/delete-list-entries.ts';
import { readTrims } from '../retention/decision-trims.ts';
import type { StorageSchema } from '../storage-schema.ts';
import type { Ledger } from './create-scoring-ledger.ts';
import type { Label, StoredDecision } from './decision-record.ts';
import { fromDecisionRow, RECENT_COLUMNS, toRecentAttempt } from './decision-row.ts';
import type { DecisionDeletion, DecisionStore, RecentAttempt } from './decision-store.ts';
import { hasRequestId } from './request-place.ts';

/** About 2 ms of reading between two ticks of the event loop. */
const PAGE_ROWS = 500;

/** Which decisions a query may see. */
type Owner = (where: ExpressionBuilder<StorageSchema, 'decisions'>) => Expression<SqlBool>;

/**
 * Decisions of the gate, and of the library in the app, belong to no account. Registrations at the dashboard go through
 * the gate's rules too, but no app asked about them.
 */
const ofGate: Owner = (where) =>
  where.and([where('account_id', 'is', null), where('scope', '!=', 'dashboard')]);

export function createDecisionStore(
  engine: StorageEngine,
  {
    ledger,
    deletion,
    clock,
  }: { readonly ledger: Ledger; readonly deletion: DecisionDeletion; readonly clock: Clock },
): DecisionStore {
  const { db, transact } = engine;

  async function find(requestId: string, owner: Owner): Promise<StoredDecision | null> {
    const row = await db
      .selectFrom('decisions')
      .selectAll()
      .where(hasRequestId(engine, requestId))
      .where(owner)
      .executeTakeFirst();
    return row ? fromDecisionRow(row) : null;
  }

  async function label(requestId: string, owner: Owner, label: Label): Promise<boolean> {
    const { numUpdatedRows } = await transact((trx) =>
      trx
        .updateTable('decisions')
        .set({ label })
        .where(hasRequestId(engine, requestId))
        .where(owner)
        .executeTakeFirst(),
    );
    return numUpdatedRows > 0n;
  }

  return {
    find: (requestId, accountId) => find(requestId, ownedBy(accountId)),
    label: (requestId, accountId, value) => label(requestId, ownedBy(accountId), value),
    ofGate: {
      find: (requestId) => find(requestId, ofGate),
      label: (requestId, value) => label(requestId, ofGate, value),
    },
    record: (decision) => ledger.record(decision),
    recent: (since) => recentAttempts(engine, since),
    async savePolicy(revision, policy) {
      await transact((trx) =>
        trx
          .insertInto('policies')
          .values({
            revision: configuredRevisionOf(revision),
            policy: JSON.stringify({ ...policy, decisive: [...policy.decisive] }),
          })
          .onConflict((conflict) => conflict.column('revision').doNothing())
          .execute(),
      );
    },
    async findPolicy(revision) {
      const row = await db
        .selectFrom('policies')
        .select('policy')
        .where('revision', '=', configuredRevisionOf(revision))
        .executeTakeFirst();
      if (!row) return null;
      const stored = JSON.parse(row.policy) as Omit<Policy, 'decisive'> & { decisive: string[] };
      return { ...stored, decisive: new Set(stored.decisive) as Policy['decisive'] };
    },
    async deleteBefore(time, now) {
      await deleteCorrections(engine, time);
      return deletion.deleteBefore(time, now);
    },
    trim: deletion.trim,
    trims: () => readTrims(engine, clock()),
    async erase(mailbox) {
      const { mailboxHash } = mailbox;
      await transact((trx) => trx.deleteFrom('held_signups').where('mailbox', '=', mailboxHash).execute());
      await eraseMailboxFromLists(engine, mailboxHash);
      return deletion.erase(mailbox);
    },
  };
}

function ownedBy(accountId: string): Owner {
  return (where) => where('account_id', '=', accountId);
}

async function* recentAttempts({ db }: StorageEngine, since: number): AsyncGenerator<RecentAttempt> {
  let last = { processed_at: since, id: -1 };
  for (;;) {
    const { processed_at, id } = last;
    const rows = await db
      .selectFrom('decisions')
      .select(RECENT_COLUMNS)
      .where('processed_at', '>=', processed_at)
      .where((where) =>
        where.or([
          where('processed_at', '>', processed_at),
          where.and([where('processed_at', '=', processed_at), where('id', '>', id)]),
        ]),
      )
      .where('test', '=', 0)
      .where('door', 'in', ['api', 'gate'])
      .orderBy('processed_at')
      .orderBy('id')
      .limit(PAGE_ROWS)
      .execute();
    for (const row of rows) yield toRecentAttempt(row);
    const end = rows.at(-1);
    if (!end || rows.length < PAGE_ROWS) return;
    last = end;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
