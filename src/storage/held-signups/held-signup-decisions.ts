import type { Kysely } from 'kysely';
import { insertAuditEntry } from '../audit/create-audit-log.ts';
import { noteDomainUser, SIGNUP_COLUMNS } from '../domain-users/note-domain-user.ts';
import type { StorageSchema } from '../storage-schema.ts';

type Database = Kysely<StorageSchema>;

/**
 * The request ids under which the decisions of held signups are stored, in their order: their own, or that of the
 * earlier decision that theirs repeats.
 */
export async function findDecisionIds(
  db: Database,
  requestIds: readonly string[],
): Promise<readonly string[]> {
  const repeats = await db
    .selectFrom('folded_held_signups')
    .selectAll()
    .where('request_id', 'in', requestIds)
    .execute();
  const keptAs = new Map(repeats.map(({ request_id, kept_as }) => [request_id, kept_as]));
  return requestIds.map((id) => keptAs.get(id) ?? id);
}

/**
 * @param now The time at which the outcome was known; null together with the outcome null, which removes the outcome.
 */
export async function setOutcome(
  trx: Database,
  heldId: string,
  outcome: 'locked' | 'reported' | 'corrected' | 'let_in' | 'refused' | null,
  now: number | null,
): Promise<void> {
  const [requestId = heldId] = await findDecisionIds(trx, [heldId]);
  await trx
    .updateTable('decisions')
    .set({ outcome, concluded_at: now })
    .where('request_id', '=', requestId)
    .execute();
}

/** The sender proved access to the mailbox. */
export async function setVerified(trx: Database, heldId: string, now: number): Promise<void> {
  const [requestId = heldId] = await findDecisionIds(trx, [heldId]);
  const signup = await trx
    .updateTable('decisions')
    .set({ outcome: 'verified', concluded_at: now })
    .where('request_id', '=', requestId)
    .returning(SIGNUP_COLUMNS)
    .executeTakeFirst();
  if (signup) await noteDomainUser(trx, signup, now);
}

/** An operator's label stays, since the owner of the mailbox sees only this one signup. */
export async function labelAsFraud(trx: Database, heldId: string, now: number): Promise<void> {
  const [requestId = heldId] = await findDecisionIds(trx, [heldId]);
  const { numUpdatedRows } = await trx
    .updateTable('decisions')
    .set({ label: 'fraud', concluded_at: now })
    .where('request_id', '=', requestId)
    .where('label', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  await insertAuditEntry(trx, {
    at: now,
    actorId: null,
    actorName: 'the owner of the mailbox',
    act: 'decision.labelled',
    subject: requestId,
    detail: { label: 'fraud' },
  });
}
