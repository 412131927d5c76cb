import type { StorageEngine } from '../engine/engine.ts';
import type { HeldSignupStore } from './held-signup-store.ts';

/**
 * Queued mails. When two processes keep or take over the same mail, the first changes its time, and the other no longer
 * finds it.
 */
export function createQueuedMails({
  db,
  transact,
}: Pick<StorageEngine, 'db' | 'transact'>): Pick<
  HeldSignupStore,
  'queuedMails' | 'keepMail' | 'takeOverMail'
> {
  return {
    async queuedMails(limit) {
      const rows = await db
        .selectFrom('held_signups')
        .select(['request_id', 'mailed_at', 'key_id', 'expires_at'])
        .where('state', '=', 'waiting')
        .where('mail_state', '=', 'queued')
        .orderBy('mailed_at')
        .limit(limit)
        .execute();
      return rows.map((row) => ({
        requestId: row.request_id,
        mailedAt: row.mailed_at,
        keyId: row.key_id,
        expiresAt: row.expires_at,
      }));
    },
    async keepMail({ requestId, mailedAt }, now) {
      const { numUpdatedRows } = await transact((trx) =>
        trx
          .updateTable('held_signups')
          .set({ mailed_at: now })
          .where('request_id', '=', requestId)
          .where('state', '=', 'waiting')
          .where('mail_state', '=', 'queued')
          .where('mailed_at', '=', mailedAt)
          .executeTakeFirst(),
      );
      return numUpdatedRows === 1n;
    },
    async takeOverMail({ requestId, mailedAt }, { now, codeHash, codeExpiresAt }) {
      const row = await transact((trx) =>
        trx
          .updateTable('held_signups')
          .set({ mailed_at: now, code: codeHash, code_expires_at: codeExpiresAt })
          .where('request_id', '=', requestId)
          .where('state', '=', 'waiting')
          .where('mail_state', '=', 'queued')
          .where('mailed_at', '=', mailedAt)
          .where('expires_at', '>', now)
          .returning(['request_id', 'key_id', 'sealed'])
          .executeTakeFirst(),
      );
      return row ? { requestId: row.request_id, keyId: row.key_id, sealed: row.sealed } : null;
    },
  };
}
