import { hash, randomInt } from 'node:crypto';

const RECOVERY_CODES = 10;
/** The alphabet of recovery codes (Crockford's base32). I, L, O and U are left out because they are easy to confuse. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** The codes have 80 bits. They cannot be guessed, so a hash without a key is enough. */
const CODE_LENGTH = 16;
const GROUP_LENGTH = 4;
const MAX_TYPED_LENGTH = 64;

/** Codes for a user who lost the device: `7KQ2-M9XD-0FVT-3HRB`. */
export function createRecoveryCodes(): readonly string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const letters = Array.from({ length: CODE_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
    return (letters.match(new RegExp(`.{${GROUP_LENGTH}}`, 'g')) ?? []).join('-');
  });
}

/**
 * The hash that is stored. The hash has no key, so that recovery codes still work after a restore without the secret
 * file. All other codes are unreadable then.
 *
 * @param typed Letter case, spaces and hyphens do not matter. Null: this cannot be a recovery code.
 */
export function recoveryCodeSha256(accountId: string, typed: string): string | null {
  if (typed.length > MAX_TYPED_LENGTH) return null;
  const code = typed
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\s\p{Pd}]/gu, '')
    .replace(/O/g, '0')
    .replace(/[IL]/g, '1');
  const isPossible = code.length === CODE_LENGTH && [...code].every((letter) => LETTERS.includes(letter));
  return isPossible ? hash('sha256', `recovery code ${accountId} ${code}`, 'hex') : null;
}
