import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * Challenges for signing in. The server stores none, so that strangers cannot use up the room of users: a challenge is
 * its time of issue, random bytes, and a keyed hash of both. A passkey takes each one once: see `PasskeyStore.markUsed`.
 */
export interface SignInChallenges {
  /** Base64url. */
  issue(): string;
  /** When it was issued, in milliseconds since the epoch. Null: not from this site, or expired. */
  issuedAt(challenge: string): number | null;
}

export const CHALLENGE_LIFETIME_MS = 5 * 60_000;
/** Between the clocks of two nodes. */
const MAX_SKEW_MS = 60_000;
/** Enough for milliseconds until the year 10889. */
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
