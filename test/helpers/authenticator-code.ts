import { Secret, TOTP } from 'otpauth';

/** The code that an authenticator app shows at a time. `secret` in base32. */
export function authenticatorCode(secret: string, at: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at });
}
