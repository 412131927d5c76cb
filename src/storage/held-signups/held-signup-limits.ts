import { type Kysely, sql } from 'kysely';
import type { StorageSchema } from '../storage-schema.ts';
import type { HoldBounds, NewHeldSignup } from './held-signup-store.ts';

/**
 * What has no room for a signup: all of it, or the part of it that its sender may have. `signup`: it is too large for any
 * sender's part, even with nothing else held.
 */
export type FullRoom = 'all' | 'sender' | 'signup';

interface Amount {
  readonly signups: number;
  readonly bytes: number;
}

/** A sender may have a part of what is free, not of the whole: the more is held, the less is left for one sender. */
const PARTS = { address: 16, network: 8 };
/** May be had of even a small room: a few plain forms. */
const LEAST: Amount = { signups: 4, bytes: 16_384 };
/**
 * Uploads use three quarters. The rest is for plain forms: at the default sizes, 4,096 addresses would have to send one
 * of this size each to fill it, and the mails of the site end at a thousand an hour.
 */
const UPLOADS = { over: LEAST.bytes, share: 0.75 };

/** Counted in the transaction that holds: two signups at once cannot both have the last place. */
export async function findFullRoom(
  db: Kysely<StorageSchema>,
  signup: Pick<NewHeldSignup, 'network' | 'budgetKeys' | 'size'>,
  { maxHeld, maxHeldBytes }: HoldBounds,
): Promise<FullRoom | null> {
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
    .where('state', 'in', ['waiting', 'claimed'])
    .executeTakeFirstOrThrow();
  const usableBytes = signup.size > UPLOADS.over ? maxHeldBytes * UPLOADS.share : maxHeldBytes;
  if (signup.size > Math.max(LEAST.bytes, usableBytes / PARTS.address)) return 'signup';
  const free = { signups: maxHeld - Number(sums.signups), bytes: usableBytes - Number(sums.bytes ?? 0) };
  if (free.signups < 1 || free.bytes < signup.size) return 'all';
  const held = {
    address: { signups: Number(sums.address_signups), bytes: Number(sums.address_bytes) },
    network: { signups: Number(sums.network_signups), bytes: Number(sums.network_bytes) },
  };
  return exceedsPart('address') || exceedsPart('network') ? 'sender' : null;

  function exceedsPart(of: 'address' | 'network'): boolean {
    const { signups, bytes } = held[of];
    return (
      signups + 1 > Math.max(LEAST.signups, free.signups / PARTS[of]) ||
      bytes + signup.size > Math.max(LEAST.bytes, free.bytes / PARTS[of])
    );
  }
}
