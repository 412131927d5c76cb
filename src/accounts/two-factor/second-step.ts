import type { Account } from '../../storage/accounts/account-store.ts';
import type { Storage } from '../../storage/storage.ts';
import { createToken, tokenSha256 } from '../../web/tokens.ts';
import type { Client, SignedIn, UserSessions } from '../user-sessions.ts';
import type { TakeCode } from './take-code.ts';

/**
 * The result of a right password or of a link from a mail: a session, or the token of a sign-in that waits for a code.
 */
export type Entered =
  | { readonly step: 'signed-in'; readonly signedIn: SignedIn }
  | { readonly step: 'second'; readonly token: string };

export type SecondStepOutcome =
  | { readonly done: true; readonly signedIn: SignedIn }
  /** `closed`: the sign-in was used, has expired, or the password was changed since. */
  | { readonly done: false; readonly because: 'closed' | 'wrong' };

/** The step between the password and the session. A waiting sign-in opens only the page of the second step. */
export interface SecondStep {
  /** Null when the password was changed, or two-factor turned on, since `account` was read. */
  enter(account: Account, client: Client): Promise<Entered | null>;
  /** The account of a waiting sign-in. */
  find(token: string): Promise<Account | null>;
  /**
   * @param typed A code of the authenticator app, or a recovery code.
   * @throws AccountError `too_many_attempts`, `conflict`.
   */
  finish(token: string, typed: string, client: Client): Promise<SecondStepOutcome>;
}

export const SECOND_STEP_LIFETIME_MS = 10 * 60_000;
const CLOSED = { done: false, because: 'closed' } as const;

export function createSecondStep({
  records: { pendingSignIns, passkeys },
  requiresTwoFactor,
  sessions,
  takeCode,
}: {
  readonly records: Pick<Storage, 'pendingSignIns' | 'passkeys'>;
  /** A user with passkeys and without an authenticator app then signs in with a passkey. */
  readonly requiresTwoFactor: () => boolean;
  readonly sessions: UserSessions;
  readonly takeCode: TakeCode;
}): SecondStep {
  return {
    async enter(account, client) {
      const needsPasskey =
        account.twoFactorSince === null &&
        requiresTwoFactor() &&
        (await passkeys.list(account.id)).length > 0;
      if (account.twoFactorSince === null && !needsPasskey) {
        const signedIn = await sessions.open(account, client);
        return signedIn && { step: 'signed-in', signedIn };
      }
      const token = createToken();
      await pendingSignIns.create({ id: tokenSha256(token), account, lifetimeMs: SECOND_STEP_LIFETIME_MS });
      return { step: 'second', token };
    },

    find: (token) => pendingSignIns.find(tokenSha256(token)),

    async finish(token, typed, client) {
      const id = tokenSha256(token);
      const account = await pendingSignIns.find(id);
      if (!account) return CLOSED;
      const taken = await takeCode({ account, typed, client }, async (records) =>
        (await records.pendingSignIns.end(id)) ? sessions.open(account, client, { within: records }) : null,
      );
      if (!taken) return { done: false, because: 'wrong' };
      return taken.result ? { done: true, signedIn: taken.result } : CLOSED;
    },
  };
}
