import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * Challenges for signing in. The server does not store them, so that strangers cannot fill a store that users need. A
 * challenge is its time of issue, random bytes, and a keyed hash of both. A passkey accepts each challenge once: see
 * `PasskeyStore.markUsed`.
 */
export interface SignInChallenges {
  /** The challenge as base64url. */
  issue(): string;
  /**
   * The time of issue in milliseconds since the epoch. Null when the challenge is not from this site, or has expired.
   */
  issuedAt(challenge: string): number | null;
}

export const CHALLENGE_LIFETIME_MS = 5 * 60_000;
/** The largest difference between the clocks of two nodes. */
const MAX_SKEW_MS = 60_000;
/** Enough digits for milliseconds until the year 10889. */
const TIME_BYTES = 6;
const RANDOM_BYTES = 16;
const MAC_BYTES = 16;
const PAYLOAD_BYTES = TIME_BYTES + RANDOM_BYTES;
const CHALLENGE = /^[\w-]{51}$/;

export function createSignInChallenges(secret: string, clock: () => number): SignInChallenges {
  const macOf = (payload: Buffer) =>
    createHmac('sha256', secret).update('passkey challenge').update(payload).digest().subarray(0, MAC_BYTES);

  return {
    issue() {
      const payload = Buffer.concat([Buffer.alloc(TIME_BYTES), randomBytes(RANDOM_BYTES)]);
      payload.writeUIntBE(clock(), 0, TIME_BYTES);
      return Buffer.concat([payload, macOf(payload)]).toString('base64url');
    },
    issuedAt(challenge) {
      if (!CHALLENGE.test(challenge)) return null;
      const bytes = Buffer.from(challenge, 'base64url');
      const payload = bytes.subarray(0, PAYLOAD_BYTES);
      if (!timingSafeEqual(bytes.subarray(PAYLOAD_BYTES), macOf(payload))) return null;
      const issuedAt = payload.readUIntBE(0, TIME_BYTES);
      const age = clock() - issuedAt;
      return age < CHALLENGE_LIFETIME_MS && age >= -MAX_SKEW_MS ? issuedAt : null;
    },
  };
}
