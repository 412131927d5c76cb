import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts held signups, and computes the keyed hashes of their codes. */
export interface Sealer {
  /** The id of the key that seals; stored with the sealed content. */
  readonly keyId: string;
  /** Whether the secret of that key is configured here. */
  hasKey(keyId: string): boolean;
  /** The length of the sealed text for this number of bytes. */
  sealedLength(bytes: number): number;
  /** AES-256-GCM with a random nonce, as base64. It is bound to the request id, so no row can replace another. */
  seal(requestId: string, content: Buffer): string;
  /** Null when the text was sealed with an unknown key, or changed after it was sealed. */
  open(sealed: {
    readonly requestId: string;
    readonly keyId: string;
    readonly sealed: string;
  }): Buffer | null;
  /**
   * Null when the key is no longer configured. The hash is keyed, since a reader of the rows could otherwise try all
   * six-digit codes.
   */
  codeHash(code: string, of: { readonly requestId: string; readonly keyId: string }): string | null;
}

interface HoldKey {
  readonly id: string;
  readonly content: Buffer;
  readonly codes: Buffer;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * @param secrets The first secret seals, and all secrets can open. To rotate, put a new secret first. Remove the old
 * secret after the last signup that it sealed has expired. GCM with random nonces allows 2^32 signups per key (NIST SP
 * 800-38D, 8.3).
 */
export function createSealer(secrets: readonly [string, ...string[]]): Sealer {
  const current = deriveKey(secrets[0]);
  const keys = new Map([...secrets].reverse().map((secret) => [deriveKey(secret).id, deriveKey(secret)]));
  return {
    keyId: current.id,
    hasKey: (keyId) => keys.has(keyId),
    sealedLength: (bytes) => 4 * Math.ceil((NONCE_BYTES + bytes + TAG_BYTES) / 3),
    seal(requestId, content) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', current.content, nonce).setAAD(Buffer.from(requestId));
      const encrypted = [nonce, cipher.update(content), cipher.final()];
      return Buffer.concat([...encrypted, cipher.getAuthTag()]).toString('base64');
    },
    open({ requestId, keyId, sealed }) {
      const key = keys.get(keyId);
      const bytes = Buffer.from(sealed, 'base64');
      if (!key || bytes.length < NONCE_BYTES + TAG_BYTES) return null;
      const decipher = createDecipheriv('aes-256-gcm', key.content, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(requestId)).setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
      } catch {
        // The tag is wrong: the content is damaged, or was sealed for another request.
        return null;
      }
    },
    codeHash(code, { requestId, keyId }) {
      const key = keys.get(keyId);
      if (!key) return null;
      return createHmac('sha256', key.codes).update(`${requestId}\n${code}`).digest('base64url');
    },
  };
}

function deriveKey(secret: string): HoldKey {
  const derive = (purpose: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secret, '', purpose, bytes));
  return {
    id: derive('gatekeeper hold key id', 6).toString('hex'),
    content: derive('gatekeeper held content', 32),
    codes: derive('gatekeeper codes', 32),
  };
}
