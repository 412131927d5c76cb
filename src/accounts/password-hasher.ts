import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { createPasswordTurns, type PasswordSender } from './password-turns.ts';

/** Makes and compares password hashes, off the event loop. */
export interface PasswordHasher {
  /**
   * For a user with a session or a link.
   * @throws AccountError `busy` when too many calls wait.
   */
  hash(password: string): Promise<string>;
  /**
   * For null (no such account, or no password), the answer is false after the same time as for a real hash.
   * @throws AccountError `busy` when too many calls wait.
   */
  verify(password: string, stored: string | null, sender: PasswordSender): Promise<boolean>;
}

interface Cost {
  /** The binary logarithm of scrypt's N. */
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

/** Each guess costs 64 MB of memory and about 100 ms of a core. */
const COST: Cost = { ln: 16, r: 8, p: 1 };
const KEY_BYTES = 32;
const SALT_BYTES = 16;
/**
 * A higher number would use all threads of libuv, which file access needs too. One core is left for requests: otherwise
 * a flood of guesses would slow down the gate.
 */
const AT_ONCE = Math.max(1, Math.min(2, availableParallelism() - 1));
const USER: PasswordSender = { origin: '', isKnown: true };
/** The form of a stored hash, a PHC string: `$scrypt$ln=15,r=8,p=3$<salt>$<key>`, base64 without padding. */
const STORED = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w+/-]+)\$([\w+/-]+)$/;

export function createPasswordHasher(atOnce = AT_ONCE): PasswordHasher {
  const inTurn = createPasswordTurns(atOnce);
  // No password matches this hash, because its key is random and not derived from a password.
  const unmatched = write(COST, randomBytes(SALT_BYTES), randomBytes(KEY_BYTES));
  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES);
      return write(COST, salt, await inTurn(USER, () => derive(password, salt, COST)));
    },
    async verify(password, stored, sender) {
      const { cost, salt, key } = read(stored ?? unmatched);
      const derived = await inTurn(sender, () => derive(password, salt, cost));
      return derived.length === key.length && timingSafeEqual(derived, key) && stored !== null;
    },
  };
}

/** Composed and decomposed letters are the same password, since keyboards send either form (RFC 8265 section 4). */
function derive(password: string, salt: Buffer, { ln, r, p }: Cost): Promise<Buffer> {
  const options: ScryptOptions = { N: 2 ** ln, r, p, maxmem: 256 * r * (2 ** ln + p) };
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFC'), salt, KEY_BYTES, options, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}

function write({ ln, r, p }: Cost, salt: Buffer, key: Buffer): string {
  return `$scrypt$ln=${ln},r=${r},p=${p}$${unpadded(salt)}$${unpadded(key)}`;
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/={1,2}$/, '');
}

function read(stored: string): { readonly cost: Cost; readonly salt: Buffer; readonly key: Buffer } {
  const [, ln, r, p, salt = '', key = ''] = STORED.exec(stored) ?? [];
  if (key === '') throw new TypeError('a stored password hash cannot be read');
  return {
    cost: { ln: Number(ln), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64'),
    key: Buffer.from(key, 'base64'),
  };
}
