import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import { configuredRevisionOf, type Policy } from '../../assessment/policy.ts';
import type { Clock } from '../../clock.ts';
import { noteLabel, SIGNUP_COLUMNS } from '../domain-users/note-domain-user.ts';
import type { StorageEngine } from '../engine/engine.ts';
import { createReviewStore } from '../held-signups/create-review-store.ts';
import {
  deleteCorrections,
  eraseCorrections,
  eraseHeldSignups,
  findCorrectionsOf,
} from '../held-signups/suggestions.ts';
import { eraseMailboxFromLists } from '../lists/delete-list-entries.ts';
import { readTrims } from '../retention/decision-trims.ts';
import type { StorageSchema } from '../storage-schema.ts';
import { concludedAttempts, recentAttempts } from './counted-attempts.ts';
import type { Ledger } from './create-scoring-ledger.ts';
import type { Label, StoredDecision } from './decision-record.ts';
import { fromDecisionRow } from './decision-row.ts';
import type { DecisionDeletion, DecisionStore } from './decision-store.ts';
import { hasRequestId } from './request-place.ts';

/** The decisions that a query may see. */
type Owner = (where: ExpressionBuilder<StorageSchema, 'decisions'>) => Expression<SqlBool>;

/**
 * Decisions of the gate, and of the library in the app, belong to no account. Registrations at the dashboard are judged
 * by the gate's rules too, but they do not belong to an app.
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
    return transact(async (trx) => {
      const signup = await trx
        .updateTable('decisions')
        .set({ label, concluded_at: clock() })
        .where(hasRequestId(engine, requestId))
        .where(owner)
        .returning(SIGNUP_COLUMNS)
        .executeTakeFirst();
      if (signup) await noteLabel(trx, signup, { label, now: clock() });
      return signup !== undefined;
    });
  }

  return {
    find: (requestId, accountId) => find(requestId, ownedBy(accountId)),
    label: (requestId, accountId, value) => label(requestId, ownedBy(accountId), value),
    ofGate: {
      find: (requestId) => find(requestId, ofGate),
      label: (requestId, value) => label(requestId, ofGate, value),
    },
    record: ledger.record,
    recent: (since) => recentAttempts(engine, since),
    concluded: (since) => concludedAttempts(engine, since),
    async savePolicy(revision, policy) {
      return await transact(async (trx) => {
        const other = await trx.selectFrom('policies').select('revision').limit(1).executeTakeFirst();
        const { numInsertedOrUpdatedRows } = await trx
          .insertInto('policies')
          .values({
            revision: configuredRevisionOf(revision),
            policy: JSON.stringify({ ...policy, decisive: [...policy.decisive] }),
          })
          .onConflict((conflict) => conflict.column('revision').doNothing())
          .executeTakeFirstOrThrow();
        if (Number(numInsertedOrUpdatedRows ?? 0) === 0) return 'known';
        return other ? 'new' : 'first';
      });
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
      await createReviewStore(engine).deleteReviewsBefore(time);
      return deletion.deleteBefore(time, now);
    },
    trim: deletion.trim,
    trims: () => readTrims(engine, clock()),
    async erase(mailbox) {
      const { mailboxHash } = mailbox;
      const corrections = await findCorrectionsOf(db, mailboxHash);
      let erased = 0;
      // The links are needed to find these decisions again after an interruption, so they are deleted afterwards.
      for (const { requestId, mailbox: typed, network } of corrections.typed) {
        await transact((trx) => eraseHeldSignups(trx, requestId));
        erased += await deletion.erase({ mailboxHash: typed, spellingHash: typed, network });
      }
      await eraseCorrections(engine, corrections);
      await transact((trx) => trx.deleteFrom('held_signups').where('mailbox', '=', mailboxHash).execute());
      await transact((trx) => trx.deleteFrom('domain_users').where('mailbox', '=', mailboxHash).execute());
      await eraseMailboxFromLists(engine, mailboxHash);
      return erased + (await deletion.erase(mailbox));
    },
  };
}

function ownedBy(accountId: string): Owner {
  return (where) => where('account_id', '=', accountId);
}
