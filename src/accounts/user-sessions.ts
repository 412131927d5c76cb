import type { IpAddress } from '../addresses/ip-address.ts';
import { truncatedNetwork } from '../assessment/identity.ts';
import { describeBrowser, PROGRAM } from '../processors/device/describe-browser.ts';
import type { Account } from '../storage/accounts/account-store.ts';
import type { Session } from '../storage/accounts/session-store.ts';
import type { ActRecords, Storage } from '../storage/storage.ts';
import type { Language } from '../web/languages.ts';
import { createToken, tokenSha256 } from '../web/tokens.ts';
import { type KnownBrowser, rememberBrowser } from './known-browser.ts';

/** Facts about the client of a request. */
export interface Client {
  readonly ip: IpAddress;
  readonly userAgent: string | null;
  /** The language of the mails that the client causes. */
  readonly language: Language;
  /** The cookie of a known browser. */
  readonly knownBrowser: KnownBrowser | null;
  /** The token of the browser's current session. */
  readonly session: SessionRef | null;
}

export interface SessionRef {
  readonly sessionId: string;
  readonly accountId: string;
}

/** The new cookie of the known browser. */
export interface SignedIn {
  /** The token of the session. Only its hash is stored. */
  readonly token: string;
  readonly knownBrowser: KnownBrowser;
}

export interface UserSessions {
  /**
   * Opens a session, and ends the browser's old session of any account.
   *
   * @param how.within The records of the transaction that proved who the user is; left out: a new transaction.
   * @returns null when the password was changed, or two-factor turned on or off, since `account` was read.
   */
  open(
    account: Account,
    client: Client,
    how?: { readonly within?: Pick<ActRecords, 'sessions'>; readonly byPasskey?: boolean },
  ): Promise<SignedIn | null>;
  /** Looked up for each request, so that ending a session takes effect at once. */
  find(token: string): Promise<{ readonly session: Session; readonly account: Account } | null>;
  end(session: SessionRef): Promise<void>;
}

export function createUserSessions({
  records,
  secret,
}: {
  readonly records: Pick<Storage, 'sessions'>;
  readonly secret: string;
}): UserSessions {
  return {
    async open(account, { ip, userAgent, knownBrowser, session }, how = {}) {
      const { within = records, byPasskey = false } = how;
      const token = createToken();
      const opened = await within.sessions.create(
        {
          id: tokenSha256(token),
          accountId: account.id,
          browser: browserLabel(userAgent),
          network: truncatedNetwork(ip),
          byPasskey,
        },
        account.passwordChangedAt,
        account.twoFactorSince,
      );
      if (!opened) return null;
      if (session) await within.sessions.end(session.sessionId, session.accountId);
      return { token, knownBrowser: rememberBrowser(knownBrowser, account, secret) };
    },
    find: (token) => records.sessions.find(tokenSha256(token)),
    async end({ sessionId, accountId }) {
      await records.sessions.end(sessionId, accountId);
    },
  };
}

/** Shown to the owner, to distinguish sessions: `Firefox on Linux`. */
export function browserLabel(userAgent: string | null): string {
  const { browser, system } = describeBrowser(userAgent);
  const name = browser === PROGRAM ? 'A program' : (browser ?? 'Another browser');
  return system === null ? name : `${name} on ${system}`;
}
