import { hash } from 'node:crypto';

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
/** Enough for an assertion with an ordinary path. A longer text gets a separate buffer. */
const SCRATCH_BYTES = 4_096;

/**
 * HMAC with SHA-256 (RFC 2104) from two one-shot hashes: 0.9 µs a signature. Node's `createHmac` creates a stream for each
 * text and takes 1.6 µs, 2 % of what a gated signup may cost.
 *
 * @returns the code of an ASCII text, in base64url.
 */
export function createHmacSha256(secret: Buffer): (text: string) => string {
  const key = Buffer.alloc(BLOCK_BYTES);
  (secret.length > BLOCK_BYTES ? Buffer.from(hash('sha256', secret, 'hex'), 'hex') : secret).copy(key);
  const innerKey = key.map((byte) => byte ^ 0x36);
  const scratch = Buffer.alloc(SCRATCH_BYTES);
  scratch.set(innerKey);
  const outer = Buffer.alloc(BLOCK_BYTES + DIGEST_BYTES);
  outer.set(key.map((byte) => byte ^ 0x5c));

  function inner(text: string): Buffer {
    const bytes = BLOCK_BYTES + text.length;
    if (bytes > SCRATCH_BYTES) return Buffer.concat([innerKey, Buffer.from(text, 'latin1')]);
    scratch.write(text, BLOCK_BYTES, 'latin1');
    return scratch.subarray(0, bytes);
  }

  return (text) => {
    // `binary` has the 32 bytes unchanged in a text, one character for each byte.
    outer.write(hash('sha256', inner(text), 'binary'), BLOCK_BYTES, 'binary');
    return hash('sha256', outer, 'base64url');
  };
}
