import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Account } from '../storage/accounts/account-store.ts';

/**
 * The content of the cookie of a known browser: a random id, and a mark for each account that signed in there. A mark
 * is a keyed hash over the id and the account. The cookie lives longer than the session and does not sign a user in.
 * The throttle counts known and unknown browsers separately. The server stores nothing about the browser. A new
 * password makes all marks of the account invalid.
 */
export interface KnownBrowser {
  readonly browserId: string;
  readonly marks: readonly string[];
}

/** Enough for a family that shares a computer, and small enough for a cookie. */
const MAX_ACCOUNTS = 5;
const ID_BYTES = 16;
/** 128 bits in base64url, like the id. */
const MARK_CHARACTERS = 22;
const NO_ACCOUNT = { id: '', passwordChangedAt: null };

/** The browser's id if the browser has a mark of this account. Null for other browsers and for a missing account. */
export function knownBrowserId(
  known: KnownBrowser | null,
  account: Pick<Account, 'id' | 'passwordChangedAt'> | null,
  secret: string,
): string | null {
  if (!known) return null;
  // The hash is computed for a missing account too, so that the time of a forged cookie reveals nothing.
  const mark = markFor(known.browserId, account ?? NO_ACCOUNT, secret);
  const isKnown = known.marks.some((given) => isSame(given, mark));
  return isKnown && account ? known.browserId : null;
}

/**
 * Adds the account after a right password, or after the user opened a link in a mail. Null: the browser had no cookie
 * before.
 */
export function rememberBrowser(known: KnownBrowser | null, account: Account, secret: string): KnownBrowser {
  const browserId = known?.browserId ?? randomBytes(ID_BYTES).toString('base64url');
  const mark = markFor(browserId, account, secret);
  const others = known?.marks.filter((other) => other !== mark) ?? [];
  return { browserId, marks: [mark, ...others].slice(0, MAX_ACCOUNTS) };
}

function markFor(
  browserId: string,
  { id, passwordChangedAt }: Pick<Account, 'id' | 'passwordChangedAt'>,
  secret: string,
): string {
  return createHmac('sha256', secret)
    .update(`known browser ${browserId} ${id} ${passwordChangedAt}`)
    .digest('base64url')
    .slice(0, MARK_CHARACTERS);
}

function isSame(given: string, mark: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(mark)];
  return a.length === b.length && timingSafeEqual(a, b);
}
