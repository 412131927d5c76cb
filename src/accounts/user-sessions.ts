import type { IpAddress } from '../addresses/ip-address.ts';
import { truncatedNetwork } from '../assessment/identity.ts';
import { describeBrowser, PROGRAM } from '../processors/device/describe-browser.ts';
import type { Account } from '../storage/accounts/account-store.ts';
import type { Session } from '../storage/accounts/session-store.ts';
import type { Storage } from '../storage/storage.ts';
import { createToken, tokenSha256 } from '../web/tokens.ts';
import { type KnownBrowser, rememberBrowser } from './known-browser.ts';

/** The sender of a request, as far as accounts need to know. */
export interface Client {
  readonly ip: IpAddress;
  readonly userAgent: string | null;
  /** What the browser kept from earlier sign-ins. */
  readonly knownBrowser: KnownBrowser | null;
  /** The session that the browser has now. */
  readonly session: SessionRef | null;
}

export interface SessionRef {
  readonly sessionId: string;
  readonly accountId: string;
}

/** What the browser keeps from now on. */
export interface SignedIn {
  /** Of the session: only its hash is stored. */
  readonly token: string;
  readonly knownBrowser: KnownBrowser;
}

export interface UserSessions {
  /**
   * Opens a session; the one that the browser had ends, of whichever account it was.
   *
   * @returns null when the password was changed since `account` was read.
   */
  open(account: Account, client: Client): Promise<SignedIn | null>;
  /** Looked up for each request, so that an ended session is ended at once. */
  find(token: string): Promise<{ readonly session: Session; readonly account: Account } | null>;
  end(session: SessionRef): Promise<void>;
}

export function createUserSessions({
  records: { sessions },
  secret,
}: {
  readonly records: Pick<Storage, 'sessions'>;
  readonly secret: string;
}): UserSessions {
  return {
    async open(account, { ip, userAgent, knownBrowser, session }) {
      const token = createToken();
      const opened = await sessions.create(
        {
          id: tokenSha256(token),
          accountId: account.id,
          browser: browserLabel(userAgent),
          network: truncatedNetwork(ip),
        },
        account.passwordChangedAt,
      );
      if (!opened) return null;
      if (session) await sessions.end(session.sessionId, session.accountId);
      return { token, knownBrowser: rememberBrowser(knownBrowser, account, secret) };
    },
    find: (token) => sessions.find(tokenSha256(token)),
    async end({ sessionId, accountId }) {
      await sessions.end(sessionId, accountId);
    },
  };
}

/** Shown to the owner, to tell sessions apart: `Firefox on Linux`. */
function browserLabel(userAgent: string | null): string {
  const { browser, system } = describeBrowser(userAgent);
  const name = browser === PROGRAM ? 'A program' : (browser ?? 'Another browser');
  return system === null ? name : `${name} on ${system}`;
}
