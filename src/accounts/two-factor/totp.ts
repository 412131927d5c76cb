import { Secret, TOTP } from 'otpauth';
import type { SignInEmail } from '../read-email.ts';

const PERIOD_SECONDS = 30;
/** 160 bits, as RFC 4226 section 4 recommends. */
const SECRET_BYTES = 20;
/** The codes of the previous and of the next step are accepted too: clocks of phones drift, and typing takes time. */
const DRIFT_STEPS = 1;

/** A new secret for time-based codes, in base32. */
export function createTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** The URI that an authenticator app reads from the QR code. */
export function totpUri(
  secret: string,
  { email, site }: { readonly email: SignInEmail['text']; readonly site: string },
): string {
  return totpOf(secret, { issuer: `Gatekeeper ${site}`, label: email }).toString();
}

/**
 * The time step that a code belongs to. Each step accepts one code (RFC 6238 section 5.2).
 *
 * @param code Six digits.
 * @returns null for a wrong code.
 */
export function stepOfCode(secret: string, code: string, now: number): number | null {
  const drift = totpOf(secret).validate({ token: code, timestamp: now, window: DRIFT_STEPS });
  return drift === null ? null : Math.floor(now / 1_000 / PERIOD_SECONDS) + drift;
}

/** SHA-1, six digits and 30 seconds are the only values that all authenticator apps support. */
function totpOf(secret: string, names: { readonly issuer?: string; readonly label?: string } = {}): TOTP {
  return new TOTP({
    ...names,
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD_SECONDS,
    secret: Secret.fromBase32(secret),
  });
}
