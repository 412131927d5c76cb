import { LRUCache } from 'lru-cache';
import { hashText, randomSeed, type TextHash } from './hash-text.ts';

/** A signup whose sender was later verified, or that was later labelled as fraud. */
export interface ConcludedSignup {
  /** The places of the signup: an IP address, a network, a domain. The names are those of the counters. */
  readonly keys: readonly string[];
  /** The member. It counts once under each key, even if it is seen several times. */
  readonly member: string;
  readonly isLegitimate: boolean;
  /**
   * True when a person set a label; false when the sender verified the mailbox. Only a label can replace the label
   * fraud.
   */
  readonly isLabel: boolean;
  /** The time of the signup, in milliseconds since the epoch. */
  readonly at: number;
}

/**
 * The number of mailboxes that were verified at an IP address, in a network, or of a domain. Kept in memory, and
 * rebuilt from decisions at a start.
 */
export interface VerifiedPlaces {
  /** A later conclusion about the same mailbox replaces the earlier one. */
  learn(signup: ConcludedSignup): void;
  /**
   * The number of verified mailboxes that count under the key: at most `perDay` of one day. Older ones count less, and
   * each fraud subtracts `FRAUD_WEIGHT`.
   */
  countOf(key: string, now: number, perDay: number): number;
}

const DAY_MS = 86_400_000;
const HALF_LIFE_DAYS = 14;
/** After four half-lives, one sixteenth remains. */
export const REMEMBERED_MS = 4 * HALF_LIFE_DAYS * DAY_MS;
const FRAUD_WEIGHT = 4;
/**
 * The limit of keys. Each needs about 100 bytes, and 8 for each mailbox: at most 12 MB. A further key replaces the least recently used key.
 */
const MAX_KEYS = 20_000;
const MAX_MEMBERS = 64;
/**
 * Each number contains the day, whether the signup was legitimate, and the hash of the mailbox. Sorted numbers are in
 * the order of time.
 */
const HASHES = 2 ** 32;
const LEGITIMATE = HASHES;
const DAY = 2 * HASHES;

export function createVerifiedPlaces({
  maxKeys = MAX_KEYS,
}: {
  readonly maxKeys?: number;
} = {}): VerifiedPlaces {
  const seed = randomSeed();
  const hashed: TextHash = { high: 0, low: 0 };
  // Made with the first conclusion: its memory is allocated at once.
  let places: LRUCache<string, readonly number[]> | null = null;

  return {
    learn({ keys, member, isLegitimate, isLabel, at }) {
      places ??= new LRUCache({ max: maxKeys });
      const { low } = hashText(member, seed, hashed);
      const entry = Math.floor(at / DAY_MS) * DAY + (isLegitimate ? LEGITIMATE : 0) + low;
      for (const key of keys) {
        const known = places.get(key) ?? [];
        const isFraud = (one: number) => one % HASHES === low && one % DAY < LEGITIMATE;
        if (!isLabel && known.some(isFraud)) continue;
        const others = known.filter((one) => one % HASHES !== low);
        others.push(entry);
        places.set(key, others.sort((a, b) => a - b).slice(-MAX_MEMBERS));
      }
    },
    countOf(key, now, perDay) {
      const today = Math.floor(now / DAY_MS);
      let count = 0;
      let day = -1;
      let ofDay = 0;
      for (const entry of places?.get(key) ?? []) {
        const dayOfEntry = Math.floor(entry / DAY);
        if (dayOfEntry !== day) ofDay = 0;
        day = dayOfEntry;
        const weight = 0.5 ** (Math.max(0, today - day) / HALF_LIFE_DAYS);
        if (entry % DAY < LEGITIMATE) count -= FRAUD_WEIGHT * weight;
        else if (++ofDay <= perDay) count += weight;
      }
      return Math.max(0, count);
    },
  };
}
