import type { Kysely } from 'kysely';
import type { StorageSchema } from '../storage-schema.ts';

/** The request ids that the decisions of held signups are found by, in their order. */
export async function decisionsOf(
  db: Kysely<StorageSchema>,
  requestIds: readonly string[],
): Promise<readonly string[]> {
  const folded = await db
    .selectFrom('folded_held_signups')
    .selectAll()
    .where('request_id', 'in', requestIds)
    .execute();
  const keptAs = new Map(folded.map(({ request_id, kept_as }) => [request_id, kept_as]));
  return requestIds.map((id) => keptAs.get(id) ?? id);
}
