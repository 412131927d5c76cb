import type { Kysely } from 'kysely';
import type { StorageEngine } from '../engine/engine.ts';
import type { StorageSchema } from '../storage-schema.ts';
import type { CorrectionClaim } from './claims.ts';
import { findDecisionIds, setOutcome } from './held-signup-decisions.ts';
import type { CorrectedSignup, Corrections, SealedSignup } from './held-signup-store.ts';

type Database = Kysely<StorageSchema>;

/** Rows deleted in one transaction. */
const STEP_ROWS = 500;

/**
 * Claims without a verification: the sender did not prove access to the mailbox, so no later signup may pass because of
 * it. The claimed signup takes no room, so the corrected one can be held in its place.
 */
export async function claimToCorrect(
  trx: Database,
  { requestId, now, tokenSha256 }: CorrectionClaim,
): Promise<SealedSignup | null> {
  const row = await trx
    .updateTable('held_signups')
    .set({ state: 'claimed', size: 0, pass_token: tokenSha256 })
    .where('request_id', '=', requestId)
    .where('state', 'in', ['waiting', 'offered', 'refused'])
    .where('expires_at', '>', now)
    .returning(['request_id', 'key_id', 'sealed'])
    .executeTakeFirst();
  return row ? { requestId: row.request_id, keyId: row.key_id, sealed: row.sealed } : null;
}

/** Links the decisions before and after the correction. */
export async function noteCorrection(
  trx: Database,
  { requestId, correctedAs, now }: CorrectedSignup,
): Promise<void> {
  const [corrects = requestId] = await findDecisionIds(trx, [requestId]);
  await setOutcome(trx, requestId, 'corrected', now);
  if (corrects === correctedAs) return;
  await trx
    .insertInto('corrected_decisions')
    .values({ request_id: correctedAs, corrects, corrected_at: now })
    // The decision may repeat an earlier corrected one.
    .onConflict((conflict) => conflict.column('request_id').doNothing())
    .execute();
}

export async function readCorrections(db: Database, requestId: string): Promise<Corrections> {
  const rows = await db
    .selectFrom('corrected_decisions')
    .select(['request_id', 'corrects'])
    .where((where) => where.or([where('request_id', '=', requestId), where('corrects', '=', requestId)]))
    .orderBy('corrected_at', 'desc')
    .limit(2)
    .execute();
  return {
    corrects: rows.find((row) => row.request_id === requestId)?.corrects ?? null,
    correctedAs: rows.find((row) => row.corrects === requestId)?.request_id ?? null,
  };
}

/** The corrections to or from a mailbox. */
interface MailboxCorrections {
  readonly requestIds: readonly string[];
  readonly typed: readonly TypedDecision[];
}

/** The decision about a mailbox that was typed in place of another one. */
interface TypedDecision {
  readonly requestId: string;
  readonly mailbox: string;
  readonly network: string;
}

export async function findCorrectionsOf(db: Database, mailbox: string): Promise<MailboxCorrections> {
  const rows = await db
    .selectFrom('corrected_decisions')
    .leftJoin('decisions as meant', 'meant.request_id', 'corrected_decisions.request_id')
    .leftJoin('decisions as typed', 'typed.request_id', 'corrected_decisions.corrects')
    .select(['corrected_decisions.request_id as id', 'corrects as requestId', 'meant.mailbox as meant'])
    .select(['typed.mailbox as mailbox', 'typed.network as network'])
    .where((where) => where.or([where('meant.mailbox', '=', mailbox), where('typed.mailbox', '=', mailbox)]))
    .execute();
  const typed = rows.flatMap(({ meant, requestId, mailbox: other, network }) =>
    meant === mailbox && other !== null && network !== null ? [{ requestId, mailbox: other, network }] : [],
  );
  return { requestIds: rows.map(({ id }) => id), typed };
}

/** Deletes the held signups of a decision, and of attempts that were folded into it. */
export async function eraseHeldSignups(trx: Database, decisionId: string): Promise<void> {
  const folded = trx.selectFrom('folded_held_signups').select('request_id').where('kept_as', '=', decisionId);
  await trx
    .deleteFrom('held_signups')
    .where((where) => where.or([where('request_id', '=', decisionId), where('request_id', 'in', folded)]))
    .execute();
}

export async function eraseCorrections(
  { transact }: StorageEngine,
  { requestIds }: MailboxCorrections,
): Promise<void> {
  for (let start = 0; start < requestIds.length; start += STEP_ROWS) {
    const step = requestIds.slice(start, start + STEP_ROWS);
    await transact((trx) => trx.deleteFrom('corrected_decisions').where('request_id', 'in', step).execute());
  }
}

/** The suggested address is as personal as the held request. */
export async function dropSuggestion(trx: Database, requestId: string): Promise<void> {
  await trx.deleteFrom('suggested_addresses').where('request_id', '=', requestId).execute();
}

/** Deletes links of decisions from before that time, in bounded steps. */
export async function deleteCorrections({ transact }: StorageEngine, before: number): Promise<void> {
  for (let deleted = STEP_ROWS; deleted === STEP_ROWS; ) {
    deleted = await transact(async (trx) => {
      const rows = await trx
        .selectFrom('corrected_decisions')
        .select('request_id')
        .where('corrected_at', '<', before)
        .limit(STEP_ROWS)
        .execute();
      const ids = rows.map((row) => row.request_id);
      if (ids.length > 0) {
        await trx.deleteFrom('corrected_decisions').where('request_id', 'in', ids).execute();
      }
      return ids.length;
    });
  }
}
