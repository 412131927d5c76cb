import { configuredRevisionOf, type Policy } from '../../assessment/policy.ts';
import type { Clock } from '../../clock.ts';
import type { StorageEngine } from '../engine/engine.ts';
import { deleteExpiredDecisions, eraseMailbox } from '../retention/delete-decisions.ts';
import { createTrim, readTrims } from '../retention/trim-decisions.ts';
import type { Ledger } from './create-scoring-ledger.ts';
import { fromDecisionRow, RECENT_COLUMNS, toRecentAttempt } from './decision-row.ts';
import type { DecisionStore, RecentAttempt } from './decision-store.ts';

/** About 2 ms of reading between two ticks of the event loop. */
const PAGE_ROWS = 500;

export function createDecisionStore(engine: StorageEngine, ledger: Ledger, clock: Clock): DecisionStore {
  const { db, transact } = engine;
  return {
    async find(requestId, accountId) {
      const row = await db
        .selectFrom('decisions')
        .selectAll()
        .where('request_id', '=', requestId)
        .where('account_id', '=', accountId)
        .executeTakeFirst();
      return row ? fromDecisionRow(row) : null;
    },
    async label(requestId, accountId, label) {
      const { numUpdatedRows } = await transact((trx) =>
        trx
          .updateTable('decisions')
          .set({ label })
          .where('request_id', '=', requestId)
          .where('account_id', '=', accountId)
          .executeTakeFirst(),
      );
      return numUpdatedRows > 0n;
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
    deleteBefore: (time) => deleteExpiredDecisions(engine, time, clock()),
    trim: createTrim(engine, clock),
    trims: () => readTrims(engine, clock()),
    erase: (mailbox) => eraseMailbox(engine, mailbox),
  };
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
