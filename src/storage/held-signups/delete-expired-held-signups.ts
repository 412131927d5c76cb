import type { StorageEngine } from '../engine/engine.ts';
import { findDecisionIds } from './held-signup-decisions.ts';
import type { ExpiryTimes } from './held-signup-store.ts';
import { BUDGET_WINDOW_MS } from './mail-budgets.ts';
import { dropSuggestion } from './suggestions.ts';

/** A signup that is being scored waits at most a few milliseconds for the write lock of the database. */
const STEP_ROWS = 100;

/**
 * Deletes expired held signups, one transaction for each step, with a tick of the event loop between two steps. The row
 * of a verified signup stays, without its content, while its mailbox may pass again. Several processes may run it at
 * once.
 * @returns the number of signups that expired unverified.
 */
export async function deleteExpiredHeldSignups(engine: StorageEngine, times: ExpiryTimes): Promise<number> {
  let expired = 0;
  for (let more = true; more; await nextTurn()) {
    const ended = await expireWaiting(engine, times.now);
    expired += ended;
    more = ended === STEP_ROWS;
  }
  for (let more = true; more; await nextTurn()) more = (await deleteSpent(engine, times)) === STEP_ROWS;
  await engine.transact((trx) =>
    trx
      .deleteFrom('verification_mails')
      .where('sent_at', '<=', times.now - BUDGET_WINDOW_MS)
      .execute(),
  );
  return expired;
}

function expireWaiting({ transact }: StorageEngine, now: number): Promise<number> {
  return transact(async (trx) => {
    const rows = await trx
      .selectFrom('held_signups')
      .select('request_id')
      .where('state', '=', 'waiting')
      .where('expires_at', '<=', now)
      .limit(STEP_ROWS)
      .execute();
    if (rows.length === 0) return 0;
    const ids = rows.map((row) => row.request_id);
    const decisions = await findDecisionIds(trx, ids);
    // In PostgreSQL, another node may have confirmed some of them since they were read.
    const { numDeletedRows } = await trx
      .deleteFrom('held_signups')
      .where('request_id', 'in', ids)
      .where('state', '=', 'waiting')
      .executeTakeFirst();
    // A verified signup keeps that outcome, even if the app was down until it expired.
    await trx
      .updateTable('decisions')
      .set({ outcome: 'expired' })
      .where('request_id', 'in', decisions)
      .where('outcome', 'is', null)
      .execute();
    return Number(numDeletedRows);
  });
}

function deleteSpent({ transact }: StorageEngine, { now, passesSince }: ExpiryTimes): Promise<number> {
  return transact(async (trx) => {
    // Still claimed when it expires: the process that claimed it died.
    const abandoned = await trx
      .updateTable('held_signups')
      .set({ state: 'done', sealed: '', size: 0, code: '' })
      .where('state', '=', 'claimed')
      .where('expires_at', '<=', now)
      .returning('request_id')
      .execute();
    for (const { request_id } of abandoned) await dropSuggestion(trx, request_id);
    const rows = await trx
      .selectFrom('held_signups')
      .select('request_id')
      .where('state', 'in', ['done', 'offered', 'refused', 'dismissed', 'locked', 'reported'])
      .where('expires_at', '<=', now)
      .where((where) =>
        where.or([
          where('verified_at', 'is', null),
          where('verified_at', '<', passesSince),
          where('passed', '=', 1),
        ]),
      )
      .limit(STEP_ROWS)
      .execute();
    if (rows.length === 0) return 0;
    const ids = rows.map((row) => row.request_id);
    await trx.deleteFrom('held_signups').where('request_id', 'in', ids).execute();
    return ids.length;
  });
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
