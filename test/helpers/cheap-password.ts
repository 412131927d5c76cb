import { randomBytes, scryptSync } from 'node:crypto';

const KEY_BYTES = 32;
const SALT_BYTES = 16;
const COST = { ln: 8, r: 8, p: 1 } as const;

/**
 * A stored hash of a password, for tests of other things. Its cost is part of it, so to verify it takes a
 * hundredth of the CPU time of a hash that Gatekeeper makes.
 */
export function cheapHash(password: string): string {
  const salt = randomBytes(SALT_BYTES);
  const key = scryptSync(password, salt, KEY_BYTES, { N: 2 ** COST.ln, r: COST.r, p: COST.p });
  return `$scrypt$ln=${COST.ln},r=${COST.r},p=${COST.p}$${unpadded(salt)}$${unpadded(key)}`;
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
