import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/**
 * Encrypts the secrets of second factors before they are stored. A copy of the database alone does not let a thief sign
 * in.
 */
export interface TwoFactorSecrets {
  seal(accountId: string, secret: string): string;
  /** Null when the text is damaged, or was encrypted with another key or for another account. */
  open(accountId: string, sealed: string): string | null;
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * AES-256-GCM with a random nonce. The encrypted text is bound to the account, so that a row cannot be moved to another
 * account.
 *
 * @param key 32 bytes as base64url.
 */
export function createTwoFactorSecrets(key: string): TwoFactorSecrets {
  const bytes = Buffer.from(key, 'base64url');
  return {
    seal(accountId, secret) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, bytes, nonce).setAAD(Buffer.from(accountId));
      const parts = [nonce, cipher.update(secret, 'utf8'), cipher.final()];
      return Buffer.concat([...parts, cipher.getAuthTag()]).toString('base64url');
    },
    open(accountId, sealed) {
      const given = Buffer.from(sealed, 'base64url');
      if (given.length < NONCE_BYTES + TAG_BYTES) return null;
      const nonce = given.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv(CIPHER, bytes, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(accountId)).setAuthTag(given.subarray(-TAG_BYTES));
      try {
        const content = given.subarray(NONCE_BYTES, -TAG_BYTES);
        return Buffer.concat([decipher.update(content), decipher.final()]).toString('utf8');
      } catch {
        // The authentication tag is wrong: another key, another account, or damage.
        return null;
      }
    },
  };
}
