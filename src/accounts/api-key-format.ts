import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const FORM = new RegExp(
  `^gk_(?:live|test)_([0-9A-Za-z]{${RANDOM_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`,
);

/**
 * A new key: `gk_live_` or `gk_test_`, 32 random base62 characters (190 bits) and 6 characters of checksum. It is shown
 * once and stored as its hash.
 */
export function createApiKey({ test }: { readonly test: boolean }): string {
  // randomInt is unbiased. The remainder of a division would prefer some characters.
  const random = Array.from({ length: RANDOM_LENGTH }, () => DIGITS[randomInt(DIGITS.length)]).join('');
  return `gk_${test ? 'test' : 'live'}_${random}${checksumOf(random)}`;
}

/**
 * Whether the text has the form of a key with a valid checksum. Secret scanners use this form, and the command line
 * detects typing errors by it. Authentication uses only the hash, because a key in the configuration can be any string.
 */
export function hasValidChecksum(key: string): boolean {
  const [, random = '', checksum] = FORM.exec(key) ?? [];
  return checksum !== undefined && checksum === checksumOf(random);
}

/** Lower-case hex. A hash without a salt is enough, since a secret of this length cannot be guessed. */
export function sha256OfKey(key: string): string {
  return hash('sha256', key);
}

/** CRC-32 of the characters as ASCII, in base62, the most significant digit first, padded with zeros. */
function checksumOf(random: string): string {
  let rest = crc32(random);
  let digits = '';
  for (let place = 0; place < CHECKSUM_LENGTH; place++) {
    digits = DIGITS.charAt(rest % DIGITS.length) + digits;
    rest = Math.floor(rest / DIGITS.length);
  }
  return digits;
}
