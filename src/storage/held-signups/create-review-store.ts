import type { Kysely } from 'kysely';
import type { StorageEngine } from '../engine/engine.ts';
import type { StorageSchema } from '../storage-schema.ts';
import type { ClaimableState } from './claims.ts';
import { dropSealed, restoreState } from './drop-sealed.ts';
import { findDecisionIds, setOutcome } from './held-signup-decisions.ts';
import { REVIEW_COLUMNS, toReviewable, toReviewRecord } from './review-rows.ts';
import type { ReviewAct, ReviewRecord, ReviewStore } from './review-store.ts';

type Database = Kysely<StorageSchema>;

const CLAIMABLE: readonly ClaimableState[] = ['waiting', 'offered', 'refused'];
const DISMISSABLE: readonly ClaimableState[] = ['waiting', 'refused'];
const STEP_ROWS = 500;

export function createReviewStore(engine: StorageEngine): ReviewStore {
  const { db, reader, transact } = engine;
  return {
    claimForReview: (act) =>
      transact(async (trx) => {
        const moved = await moveTo(trx, act, { from: CLAIMABLE, to: 'claimed' });
        if (!moved) return null;
        await setOutcome(trx, act.requestId, 'let_in', act.now);
        await note(trx, act, { act: 'let_in', ...moved });
        const signup = await trx
          .selectFrom('held_signups')
          .select(['request_id', 'key_id', 'sealed'])
          .where('request_id', '=', act.requestId)
          .executeTakeFirstOrThrow();
        return {
          ...moved,
          signup: { requestId: signup.request_id, keyId: signup.key_id, sealed: signup.sealed },
        };
      }),

    finishReview: ({ requestId, result, status }) =>
      transact(async (trx) => {
        await trx
          .updateTable('held_signups')
          .set({ state: 'done' })
          .where('request_id', '=', requestId)
          .execute();
        await dropSealed(trx, requestId);
        await trx
          .updateTable('signup_reviews')
          .set({ result, status })
          .where('request_id', '=', requestId)
          .execute();
      }),

    undoReviewClaim: ({ requestId, was }) =>
      transact(async (trx) => {
        if (!(await restoreState(trx, requestId, { from: 'claimed', to: was }))) return;
        await forget(trx, requestId);
      }),

    dismiss: (act) =>
      transact(async (trx) => {
        const moved = await moveTo(trx, act, { from: DISMISSABLE, to: 'dismissed' });
        if (!moved) return null;
        await setOutcome(trx, act.requestId, 'refused', act.now);
        await note(trx, act, { act: 'refused', ...moved });
        return moved;
      }),

    restore: (requestId, now) =>
      transact(async (trx) => {
        const record = await trx
          .selectFrom('signup_reviews')
          .innerJoin('held_signups', 'held_signups.request_id', 'signup_reviews.request_id')
          .select(['was', 'decision_id'])
          .where('signup_reviews.request_id', '=', requestId)
          .where('held_signups.expires_at', '>', now)
          .executeTakeFirst();
        if (!record) return null;
        if (!(await restoreState(trx, requestId, { from: 'dismissed', to: record.was }))) return null;
        await forget(trx, requestId);
        return { decisionId: record.decision_id };
      }),

    moveEnd: ({ requestId, from, to, now }) =>
      transact(async (trx) => {
        const { numUpdatedRows } = await trx
          .updateTable('held_signups')
          .set({ expires_at: to })
          .where('request_id', '=', requestId)
          .where('state', '=', 'waiting')
          .where('expires_at', '=', from)
          .where('expires_at', '>', now)
          .executeTakeFirst();
        if (numUpdatedRows === 0n) return null;
        const [decisionId = requestId] = await findDecisionIds(trx, [requestId]);
        return { decisionId };
      }),

    async reviewOf(decisionId, now) {
      const row = await db
        .selectFrom('held_signups')
        .select(REVIEW_COLUMNS)
        .where((where) =>
          where.or([
            where('request_id', '=', decisionId),
            where(
              'request_id',
              'in',
              where.selectFrom('folded_held_signups').select('request_id').where('kept_as', '=', decisionId),
            ),
          ]),
        )
        .where('expires_at', '>', now)
        .orderBy('created_at', 'desc')
        .limit(1)
        .executeTakeFirst();
      const record = await db
        .selectFrom('signup_reviews')
        .selectAll()
        .where('decision_id', '=', decisionId)
        .orderBy('reviewed_at', 'desc')
        .limit(1)
        .executeTakeFirst();
      if (!row && !record) return null;
      return {
        signup: row ? toReviewable(row, decisionId) : null,
        record: record ? toReviewRecord(record) : null,
      };
    },

    async reviewQueue({ state, now, limit }) {
      const rows = await reader
        .selectFrom('held_signups')
        .select(REVIEW_COLUMNS)
        .where('state', '=', state)
        .where('expires_at', '>', now)
        .orderBy('expires_at')
        .limit(limit)
        .execute();
      const ids = rows.map((row) => row.request_id);
      const decisions = ids.length === 0 ? [] : await findDecisionIds(db, ids);
      return rows.map((row, i) => toReviewable(row, decisions[i] ?? row.request_id));
    },

    async recentReviews({ since, limit }) {
      const rows = await reader
        .selectFrom('signup_reviews')
        .selectAll()
        .where('reviewed_at', '>=', since)
        .orderBy('reviewed_at', 'desc')
        .limit(limit)
        .execute();
      return rows.map(toReviewRecord);
    },

    async deleteReviewsBefore(time) {
      let deleted = 0;
      for (let step = STEP_ROWS; step === STEP_ROWS; deleted += step) {
        step = await transact((trx) => deleteSome(trx, time));
      }
      return deleted;
    },
  };
}

/** Null: it is in another state, has expired, or another transaction was first. */
async function moveTo(
  trx: Database,
  { requestId, now }: ReviewAct,
  move: { readonly from: readonly ClaimableState[]; readonly to: 'claimed' | 'dismissed' },
): Promise<{ readonly was: ClaimableState; readonly decisionId: string } | null> {
  const row = await trx
    .selectFrom('held_signups')
    .select('state')
    .where('request_id', '=', requestId)
    .executeTakeFirst();
  const was = move.from.find((state) => state === row?.state);
  if (was === undefined) return null;
  const { numUpdatedRows } = await trx
    .updateTable('held_signups')
    .set({ state: move.to })
    .where('request_id', '=', requestId)
    .where('state', '=', was)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return null;
  const [decisionId = requestId] = await findDecisionIds(trx, [requestId]);
  return { was, decisionId };
}

async function note(
  trx: Database,
  { requestId, actorId, now }: ReviewAct,
  noted: Pick<ReviewRecord, 'act' | 'was' | 'decisionId'>,
): Promise<void> {
  const values = {
    act: noted.act,
    was: noted.was,
    decision_id: noted.decisionId,
    actor_id: actorId,
    reviewed_at: now,
    result: null,
    status: null,
  };
  await trx
    .insertInto('signup_reviews')
    .values({ request_id: requestId, ...values })
    .onConflict((conflict) => conflict.column('request_id').doUpdateSet(values))
    .execute();
}

async function forget(trx: Database, requestId: string): Promise<void> {
  await setOutcome(trx, requestId, null, null);
  await trx.deleteFrom('signup_reviews').where('request_id', '=', requestId).execute();
}

async function deleteSome(trx: Database, time: number): Promise<number> {
  const rows = await trx
    .selectFrom('signup_reviews')
    .select('request_id')
    .where('reviewed_at', '<', time)
    .limit(STEP_ROWS)
    .execute();
  const ids = rows.map((row) => row.request_id);
  if (ids.length > 0) await trx.deleteFrom('signup_reviews').where('request_id', 'in', ids).execute();
  return ids.length;
}
