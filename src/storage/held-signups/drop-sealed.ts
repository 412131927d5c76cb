import { type Kysely, sql } from 'kysely';
import type { StorageSchema } from '../storage-schema.ts';
import type { ClaimableState } from './held-signup-store.ts';
import { dropSuggestion } from './suggestions.ts';

type Database = Kysely<StorageSchema>;

/** Deletes the content, which is no longer needed. */
export async function dropSealed(trx: Database, requestId: string): Promise<void> {
  await trx
    .updateTable('held_signups')
    .set({ sealed: '', size: 0, code: '' })
    .where('request_id', '=', requestId)
    .execute();
  await dropSuggestion(trx, requestId);
}

/** Puts a signup back into its earlier state. False when its state has changed in the meantime. */
export async function restoreState(
  trx: Database,
  requestId: string,
  { from, to }: { readonly from: 'claimed' | 'dismissed'; readonly to: ClaimableState },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('held_signups')
    .set({ state: to, verified_at: null, pass_token: null, size: sql`length(sealed)` })
    .where('request_id', '=', requestId)
    .where('state', '=', from)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
