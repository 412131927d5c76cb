import type { StorageEngine } from '../engine/engine.ts';
import { LISTS_LOCK } from '../locks.ts';

const DAY_MS = 86_400_000;
/** A process that was suspended for longer reads all entries again. */
const REMOVED_KEPT_MS = DAY_MS;
/** An operator can see an expired entry for a month, and renew it. */
const EXPIRED_KEPT_MS = 30 * DAY_MS;
/** Rows deleted between two ticks of the event loop. */
const STEP_ROWS = 1_000;

export async function deleteExpiredListEntries(
  { db, transact, lock }: StorageEngine,
  now: number,
): Promise<number> {
  let deleted = 0;
  for (;;) {
    const rows = await db
      .selectFrom('list_entries')
      .select(['id', 'revision'])
      .where((where) =>
        where.or([
          where('removed_at', '<', now - REMOVED_KEPT_MS),
          where('expires_at', '<', now - EXPIRED_KEPT_MS),
        ]),
      )
      .limit(STEP_ROWS)
      .execute();
    if (rows.length === 0) return deleted;
    const newest = Math.max(...rows.map(({ revision }) => revision));
    const ids = rows.map(({ id }) => id);
    const revisions = rows.map(({ revision }) => revision);
    deleted += await transact(async (trx) => {
      await lock(trx, [LISTS_LOCK]);
      await trx
        .updateTable('list_state')
        .set({ complete_from: newest })
        .where('complete_from', '<', newest)
        .execute();
      const { numDeletedRows } = await trx
        .deleteFrom('list_entries')
        .where('id', 'in', ids)
        // An entry that was renewed in the meantime has another revision, so it stays.
        .where('revision', 'in', revisions)
        .executeTakeFirst();
      return Number(numDeletedRows);
    });
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Erases the text and the note of a mailbox's entries, which stay in force under the pseudonym. */
export async function eraseMailboxFromLists({ transact }: StorageEngine, pseudonym: string): Promise<void> {
  await transact((trx) =>
    trx
      .updateTable('list_entries')
      .set({ typed: null, note: null })
      .where('kind', '=', 'mailbox')
      .where('value', '=', pseudonym)
      .where((where) => where.or([where('typed', 'is not', null), where('note', 'is not', null)]))
      .execute(),
  );
}
