import { sql } from 'kysely';
import type { Clock } from '../../clock.ts';
import { ANSWER_LIFETIME_MS } from '../decisions/create-scoring-ledger.ts';
import type { DecisionDeletion } from '../decisions/decision-store.ts';
import type { StorageEngine } from '../engine/engine.ts';
import { databaseNow } from '../fleet/database-now.ts';
import { deleteInSteps, dropDays, prepareDays } from './decision-days.ts';
import type { ErasedDecisions } from './erasure.ts';
import { createPostgresTrim } from './postgres-trim.ts';

/** A running process without decisions for so long registers again with its next one. */
const WRITER_LIFETIME = sql`interval '7 days'`;

/** Deletes decisions on PostgreSQL: whole days by dropping their partition, a mailbox by its indexes. */
export function createPostgresDeletion(engine: StorageEngine, clock: Clock): DecisionDeletion {
  return {
    async deleteBefore(time, now = clock()) {
      await prepareDays(engine);
      // A node whose clock is ahead must not delete the decisions of all others too early.
      const aheadMs = Math.max(0, now - (await databaseNow(engine)));
      const before = time - aheadMs;
      const decisions = (await dropDays(engine, before)) + (await deleteStrays(engine, before));
      const lastAnswer = Math.max(before - 1, now - aheadMs - ANSWER_LIFETIME_MS);
      const answers = await deleteInSteps(engine, 'answers', sql`created_at <= ${lastAnswer}`);
      await engine.transact((trx) =>
        sql`DELETE FROM scoring_writers WHERE written_at < now() - ${WRITER_LIFETIME}`.execute(trx),
      );
      return decisions + answers;
    },
    trim: createPostgresTrim(engine, clock),
    erase: (mailbox) => eraseDecisions(engine, mailbox),
  };
}

/** Rows of the DEFAULT partition, which come from a very wrong clock. */
function deleteStrays(engine: StorageEngine, before: number): Promise<number> {
  return deleteInSteps(engine, 'decisions_default', sql`processed_at < ${before}`);
}

/** One partition at a time: its indexes find the few rows of one mailbox. */
async function eraseDecisions(
  { db, transact }: StorageEngine,
  { mailboxHash, spellingHash, network }: ErasedDecisions,
): Promise<number> {
  const isOfMailbox = sql`(mailbox = ${mailboxHash} OR spelling = ${spellingHash})`;
  const isTheirs = network === undefined ? isOfMailbox : sql`${isOfMailbox} AND network = ${network}`;
  const { rows: partitions } = await sql<{ readonly name: string }>`
    SELECT DISTINCT tableoid::regclass::text AS name FROM decisions WHERE ${isTheirs}`.execute(db);
  let erased = 0;
  for (const { name } of partitions) {
    const { rows } = await transact((trx) =>
      sql<{ readonly gone: number }>`
        WITH gone AS (DELETE FROM ${sql.table(name)} WHERE ${isTheirs} RETURNING request_id),
          answered AS (DELETE FROM answers WHERE request_id IN (SELECT request_id FROM gone))
        SELECT count(*) AS gone FROM gone`.execute(trx),
    );
    erased += rows[0]?.gone ?? 0;
  }
  return erased;
}
