import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto';

/** Encrypts texts for the server, so that domains and user agents cannot be read there. */
export interface SealedText {
  seal(text: string): string;
  /** @returns null for a text that was not encrypted, or was encrypted with another secret. */
  open(sealed: string): string | null;
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const OPTIONS = { authTagLength: TAG_BYTES } as const;

/** @param secret All nodes must have the same secret. Otherwise they cannot read the texts of one another. */
export function createSealedText(secret: string): SealedText {
  const key = hash('sha256', `sealed counters\n${secret}`, 'buffer');
  return {
    seal(text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce, OPTIONS);
      const parts = [cipher.update(text, 'utf8'), cipher.final()];
      return Buffer.concat([nonce, cipher.getAuthTag(), ...parts]).toString('base64url');
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64url');
      try {
        const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), OPTIONS);
        decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
        const parts = [decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()];
        return Buffer.concat(parts).toString('utf8');
      } catch {
        return null;
      }
    },
  };
}
