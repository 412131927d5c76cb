import { type Kysely, sql } from 'kysely';
import type { StorageSchema } from '../storage-schema.ts';
import type { HoldBounds, NewHeldSignup } from './held-signup-store.ts';

/**
 * The limit that a signup would exceed: of all held signups, or of its sender's share of them. `signup`: it is too large
 * for any sender's share, even with nothing else held.
 */
export type ReachedLimit = 'all' | 'sender' | 'signup';

interface Amount {
  readonly signups: number;
  readonly bytes: number;
}

/** A sender's share is a part of the free room, not of the whole: with more held signups, the share is smaller. */
const DIVISORS = { address: 16, network: 8 };
/** Every share is at least this, also when little room is free. It is enough for a few plain forms. */
const MIN_SHARE: Amount = { signups: 4, bytes: 16_384 };
/**
 * Uploads may use three quarters, and the rest is for plain forms. At the default sizes, 4,096 IP addresses must each
 * send a form of this size to fill the rest, but the site sends only a thousand mails an hour.
 */
const UPLOADS = { over: MIN_SHARE.bytes, share: 0.75 };

export async function findReachedLimit(
  db: Kysely<StorageSchema>,
  signup: Pick<NewHeldSignup, 'network' | 'budgetKeys' | 'size' | 'state'>,
  { maxHeld, maxHeldBytes }: HoldBounds,
): Promise<ReachedLimit | null> {
  const isNetwork = sql`network = ${signup.network}`;
  const isAddress = sql`mail_origin = ${signup.budgetKeys.origin}`;
  const sums = await db
    .selectFrom('held_signups')
    .select(({ fn }) => [
      fn.countAll().as('signups'),
      fn.sum('size').as('bytes'),
      sql`sum(CASE WHEN ${isNetwork} THEN 1 ELSE 0 END)`.as('network_signups'),
      sql`sum(CASE WHEN ${isNetwork} THEN size ELSE 0 END)`.as('network_bytes'),
      sql`sum(CASE WHEN ${isAddress} THEN 1 ELSE 0 END)`.as('address_signups'),
      sql`sum(CASE WHEN ${isAddress} THEN size ELSE 0 END)`.as('address_bytes'),
    ])
    .where(
      'state',
      'in',
      signup.state === 'refused' ? ['refused'] : ['waiting', 'offered', 'claimed', 'dismissed'],
    )
    .executeTakeFirstOrThrow();
  const usableBytes = signup.size > UPLOADS.over ? maxHeldBytes * UPLOADS.share : maxHeldBytes;
  if (signup.size > Math.max(MIN_SHARE.bytes, usableBytes / DIVISORS.address)) return 'signup';
  const free = { signups: maxHeld - Number(sums.signups), bytes: usableBytes - Number(sums.bytes ?? 0) };
  if (free.signups < 1 || free.bytes < signup.size) return 'all';
  const held = {
    address: { signups: Number(sums.address_signups), bytes: Number(sums.address_bytes) },
    network: { signups: Number(sums.network_signups), bytes: Number(sums.network_bytes) },
  };
  return exceedsShare('address') || exceedsShare('network') ? 'sender' : null;

  function exceedsShare(of: 'address' | 'network'): boolean {
    const { signups, bytes } = held[of];
    return (
      signups + 1 > Math.max(MIN_SHARE.signups, free.signups / DIVISORS[of]) ||
      bytes + signup.size > Math.max(MIN_SHARE.bytes, free.bytes / DIVISORS[of])
    );
  }
}
