import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Account } from '../storage/accounts/account-store.ts';

/**
 * What a browser keeps after its first sign-in: a random id and, for each account that signed in there, a mark, which is
 * a hash over both that only this site can make. It stays when the session ends and signs no user in: the throttle counts
 * the browser apart from strangers. Nothing is stored about it; a new password voids all marks of the account.
 */
export interface KnownBrowser {
  readonly browserId: string;
  readonly marks: readonly string[];
}

/** A cookie has room for a family that shares a computer, no more. */
const MAX_ACCOUNTS = 5;
const ID_BYTES = 16;
/** 128 bits of base64url, as the id has. */
const MARK_CHARACTERS = 22;
const NO_ACCOUNT = { id: '', passwordChangedAt: null };

/** The browser's id where it holds a mark of this account. Null for any other browser, and where there is no account. */
export function knownBrowserId(
  known: KnownBrowser | null,
  account: Account | null,
  secret: string,
): string | null {
  if (!known) return null;
  // Without an account as well: the time that a forged cookie costs tells nothing.
  const mark = markFor(known.browserId, account ?? NO_ACCOUNT, secret);
  const isKnown = known.marks.some((given) => isSame(given, mark));
  return isKnown && account ? known.browserId : null;
}

/** After the right password, or the link in a mail. Null: the browser kept nothing so far. */
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
