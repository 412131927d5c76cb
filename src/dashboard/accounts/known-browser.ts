import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Account } from '../../storage/accounts/people-records.ts';
import type { DashboardDependencies } from '../dashboard-dependencies.ts';
import type { DashboardContext } from '../router.ts';
import { readKnownBrowserCookie, setKnownBrowserCookie } from './account-cookies.ts';

type KnownBrowserDependencies = Pick<DashboardDependencies, 'secret' | 'publicUrl'>;

/** A cookie has room for those who share a computer, no more. */
const MAX_ACCOUNTS = 5;
const ID_BYTES = 16;
/** 128 bits of base64url, as the id is. */
const MARK_CHARACTERS = 22;
const NO_ACCOUNT = { id: '', passwordChangedAt: null };

/**
 * A browser keeps a random id and, for each account that signed in there, a mark: a hash over both that only this site
 * can make. It stays when the session ends, and signs nobody in: it tells the throttle that this is no stranger. Nothing
 * is stored about it; with a new password all marks of the account are void.
 *
 * @returns the browser's id where it holds a mark of this account. Null for any other, and where there is no account.
 */
export function knownBrowserOf(
  context: DashboardContext,
  account: Account | null,
  { secret, publicUrl }: KnownBrowserDependencies,
): string | null {
  const cookie = readKnownBrowserCookie(context, publicUrl());
  if (!cookie) return null;
  // Without an account as well: what a forged cookie costs tells nothing.
  const mark = markFor(cookie.browserId, account ?? NO_ACCOUNT, secret);
  const isKnown = cookie.marks.some((given) => isSame(given, mark));
  return isKnown && account ? cookie.browserId : null;
}

/** After the password was right, or the link in a mail. */
export function rememberBrowser(
  context: DashboardContext,
  account: Account,
  { secret, publicUrl }: KnownBrowserDependencies,
): void {
  const { browserId, marks } = readKnownBrowserCookie(context, publicUrl()) ?? {
    browserId: randomBytes(ID_BYTES).toString('base64url'),
    marks: [],
  };
  const mark = markFor(browserId, account, secret);
  const others = marks.filter((other) => other !== mark);
  setKnownBrowserCookie(context, publicUrl(), {
    browserId,
    marks: [mark, ...others].slice(0, MAX_ACCOUNTS),
  });
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
