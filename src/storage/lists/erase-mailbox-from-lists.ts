import type { StorageEngine } from '../engine/engine.ts';

/** Erases the text and the note of a mailbox's entries. Returns how many. */
export async function eraseMailboxFromLists({ transact }: StorageEngine, pseudonym: string): Promise<number> {
  const { numUpdatedRows } = await transact((trx) =>
    trx
      .updateTable('list_entries')
      .set({ typed: null, note: null })
      .where('kind', '=', 'mailbox')
      .where('value', '=', pseudonym)
      .where((where) => where.or([where('typed', 'is not', null), where('note', 'is not', null)]))
      .executeTakeFirst(),
  );
  return Number(numUpdatedRows);
}
