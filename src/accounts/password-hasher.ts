import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { AccountError } from './account-error.ts';

/** Makes and compares password hashes, off the event loop. */
export interface PasswordHasher {
  /** @throws AccountError `busy` when too many calls wait. */
  hash(password: string): Promise<string>;
  /**
   * For null (no such account, or no password), the answer is false after the same time as for a real hash.
   * @throws AccountError `busy` when too many calls wait.
   */
  verify(password: string, stored: string | null): Promise<boolean>;
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
/** A higher number would use all cores and all threads of libuv. File access needs these threads too. */
const AT_ONCE = 2;
/** The last call in the queue waits about two seconds. */
const MAX_WAITING = 32;
const RETRY_AFTER_SECONDS = 10;
/** The form of a stored hash, a PHC string: `$scrypt$ln=15,r=8,p=3$<salt>$<key>`, base64 without padding. */
const STORED = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w+/-]+)\$([\w+/-]+)$/;

export function createPasswordHasher(): PasswordHasher {
  const takeTurn = createTurns();
  // No password matches this hash, because its key is random and not derived from a password.
  const unmatched = write(COST, randomBytes(SALT_BYTES), randomBytes(KEY_BYTES));
  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES);
      return write(COST, salt, await takeTurn(() => derive(password, salt, COST)));
    },
    async verify(password, stored) {
      const { cost, salt, key } = read(stored ?? unmatched);
      const derived = await takeTurn(() => derive(password, salt, cost));
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
  return bytes.toString('base64').replace(/=+$/, '');
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

function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= AT_ONCE) {
      if (waiting.length >= MAX_WAITING) {
        throw new AccountError(
          'busy',
          'Too many users are signing in. Try again in a moment.',
          RETRY_AFTER_SECONDS,
        );
      }
      // The next waiting call starts before any new call.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running++;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
