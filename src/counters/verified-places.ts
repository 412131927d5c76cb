import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { hashText, type TextHash } from './hash-text.ts';

/** A signup whose sender was confirmed later, or that was called a fraud. */
export interface ConcludedSignup {
  /** Where it came from: an address, a network, a domain. As the counters name them. */
  readonly keys: readonly string[];
  /** Counts once under each key, however often it is seen. */
  readonly member: string;
  readonly isLegitimate: boolean;
  /** Said by a person, not by the sender: only this takes back a fraud. */
  readonly isLabel: boolean;
  /** The time of the signup, in milliseconds since the epoch. */
  readonly at: number;
}

/** How many mailboxes were verified at an address, in a network, of a domain. In memory, rebuilt from decisions. */
export interface VerifiedPlaces {
  /** A later conclusion about the same mailbox replaces the earlier one. */
  learn(signup: ConcludedSignup): void;
  /**
   * Verified mailboxes that count under the key: at most `perDay` of one day, fewer as they grow older, and fewer by
   * `FRAUD_WEIGHT` for each fraud.
   */
  countOf(key: string, now: number, perDay: number): number;
}

const DAY_MS = 86_400_000;
const HALF_LIFE_DAYS = 14;
/** After four half-lives, a sixteenth is left. */
export const REMEMBERED_MS = 4 * HALF_LIFE_DAYS * DAY_MS;
const FRAUD_WEIGHT = 4;
/** About 100 bytes, and 8 for each mailbox: 12 MB at most. The key that was unused for longest is forgotten. */
const MAX_KEYS = 20_000;
const MAX_MEMBERS = 64;
/** One number holds the day, the conclusion and the hash of the mailbox: sorted, they are in the order of time. */
const HASHES = 2 ** 32;
const LEGITIMATE = HASHES;
const DAY = 2 * HASHES;

export function createVerifiedPlaces({
  maxKeys = MAX_KEYS,
}: {
  readonly maxKeys?: number;
} = {}): VerifiedPlaces {
  const bytes = randomBytes(8);
  const seed: TextHash = { high: bytes.readUInt32LE(0), low: bytes.readUInt32LE(4) };
  const hashed: TextHash = { high: 0, low: 0 };
  const places = new LRUCache<string, readonly number[]>({ max: maxKeys });

  return {
    learn({ keys, member, isLegitimate, isLabel, at }) {
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
      for (const entry of places.get(key) ?? []) {
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
