import type { StorageEngine } from '../engine/engine.ts';
import type { PassRequest } from './held-signup-store.ts';

/**
 * After a verified signup, the next signup with its mailbox passes if it has the same network and the same sender. The
 * sender is the same if the request has the token that the confirming browser received. When a program confirmed, the
 * user agent must be that of the held signup.
 *
 * @returns whether it passes. A verified signup lets only one later signup pass.
 */
export async function takeVerifiedPass(
  { db, transact }: StorageEngine,
  { mailbox, network, userAgent, tokens, since }: PassRequest,
): Promise<boolean> {
  const passing = await db
    .selectFrom('held_signups')
    .select('request_id')
    .where('mailbox', '=', mailbox)
    .where('pass_network', '=', network)
    .where('verified_at', '>=', since)
    .where('passed', '=', 0)
    .where((where) =>
      where.or([
        where.and([where('pass_token', 'is', null), where('user_agent', '=', userAgent)]),
        ...(tokens.length > 0 ? [where('pass_token', 'in', tokens)] : []),
      ]),
    )
    .executeTakeFirst();
  if (!passing) return false;
  const { numUpdatedRows } = await transact((trx) =>
    trx
      .updateTable('held_signups')
      .set({ passed: 1 })
      .where('request_id', '=', passing.request_id)
      .where('passed', '=', 0)
      .executeTakeFirst(),
  );
  return numUpdatedRows > 0n;
}
