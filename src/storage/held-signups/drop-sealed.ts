import { type Kysely, sql } from 'kysely';
import type { StorageSchema } from '../storage-schema.ts';
import type { ClaimableState, ClaimMark } from './claims.ts';
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

/** Puts a signup back into its state before this claim, also when the commit of the claim is still on its way. */
export async function releaseClaim(
  trx: Database,
  { requestId, verifiedAt, tokenSha256 }: ClaimMark,
  to: ClaimableState,
): Promise<void> {
  // Waits for the transaction of the claim. A condition on what it writes would not find the row, and not wait.
  const row = trx.updateTable('held_signups').where('request_id', '=', requestId);
  await row.set(({ ref }) => ({ state: ref('state') })).execute();
  const claimed = await trx
    .selectFrom('held_signups')
    .select('request_id')
    .where('request_id', '=', requestId)
    .where('verified_at', verifiedAt === null ? 'is' : '=', verifiedAt)
    .where('pass_token', tokenSha256 === null ? 'is' : '=', tokenSha256)
    .executeTakeFirst();
  if (claimed) await restoreState(trx, requestId, { from: 'claimed', to });
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
