import type { Clock } from '../../clock.ts';
import type { Counters } from '../../counters/counters.ts';
import { MAX_PASSKEYS } from '../../storage/accounts/passkey-store.ts';
import type { ActRecords, Storage } from '../../storage/storage.ts';
import type { Logger } from '../../telemetry/logger.ts';
import { createToken, tokenSha256 } from '../../web/tokens.ts';
import { recordAct } from '../account-audit.ts';
import { AccountError, CHANGED_MEANWHILE } from '../account-error.ts';
import type { OwnPasswordProblem, SignedInUser } from '../own-password.ts';
import { originOf } from '../sign-in-throttle.ts';
import { NEEDS_PASSKEY, owesSecondFactor } from '../two-factor/owes-second-factor.ts';
import type { TakeCode } from '../two-factor/take-code.ts';
import { WRONG_CODE } from '../two-factor/two-factor-settings.ts';
import { browserLabel, type Client, type SignedIn, type UserSessions } from '../user-sessions.ts';
import { CHALLENGE_LIFETIME_MS, createSignInChallenges } from './challenges.ts';
import { type RelyingParty, relyingPartyOf } from './relying-party.ts';
import {
  type BrowserResponse,
  creationOptions,
  readBrowserResponse,
  requestOptions,
  verifyNewPasskey,
  verifySignature,
} from './verify-passkey.ts';

export type AddPasskeyOutcome =
  | { readonly done: true }
  | {
      readonly done: false;
      readonly password?: string | undefined;
      readonly code?: string | undefined;
      readonly response?: string | undefined;
    };

interface NewPasskeyInput {
  /** The response of the browser, as JSON. */
  readonly response: string;
  /** The name as typed. When it is empty, the passkey gets the name of the browser. */
  readonly name: string;
  readonly password: string;
  /** The two-factor code as typed. Required when two-factor is on, because a sign-in with the passkey asks for no code. */
  readonly code: string;
}

/** Passkeys: signing in without a password, by a key that stays in a device of the user and that the device unlocks. */
export interface Passkeys {
  /** Whether browsers make passkeys for the URL of the dashboard. */
  isAvailable(): boolean;
  /** Options for `navigator.credentials.create`. */
  beginAdding(user: SignedInUser): Promise<object>;
  /**
   * If two-factor is required and the user has no second factor yet, the first passkey becomes the second factor of
   * this session. All other sessions then end. Further passkeys then need a session with a second factor.
   *
   * @throws AccountError `too_many_attempts`, `too_long`, `busy`, `conflict`.
   */
  add(user: SignedInUser, input: NewPasskeyInput, client: Client): Promise<AddPasskeyOutcome>;
  /** @throws AccountError `conflict` for the last second factor of a user who must have one. */
  remove(user: SignedInUser, id: string): Promise<void>;
  /** Options for `navigator.credentials.get`. */
  beginSignIn(): Promise<object>;
  /** Null for every response that does not prove a stored passkey. @throws AccountError `too_many_attempts`. */
  signIn(response: string, client: Client): Promise<SignedIn | null>;
}

export interface PasskeysDependencies {
  readonly records: Pick<Storage, 'accounts' | 'passkeys' | 'act'>;
  readonly sessions: UserSessions;
  readonly ownPasswordProblem: OwnPasswordProblem;
  readonly takeCode: TakeCode;
  readonly counters: Pick<Counters, 'limitFailures'>;
  /** Makes challenges that need no storage. */
  readonly secret: string;
  /** The current `dashboard.require_two_factor`. */
  readonly requiresTwoFactor: () => boolean;
  readonly publicUrl: () => string;
  readonly clock: Clock;
  readonly log: Logger;
}

const MAX_NAME_LENGTH = 60;
/** The limit of wrong passkey responses from one IP address. */
const BY_ORIGIN = { limit: 60, windowMs: 5 * 60_000, maxKeys: 50_000 };
const NOT_ADDED = 'The browser made no passkey for this site. Try again.';
const LAST_FACTOR =
  'Two-factor is required here, and this passkey is your only second factor. Add another passkey or set up an authenticator app first.';

export function createPasskeys(dependencies: PasskeysDependencies): Passkeys {
  const { records, sessions, ownPasswordProblem, takeCode, requiresTwoFactor } = dependencies;
  const { publicUrl, clock, log } = dependencies;
  const failures = dependencies.counters.limitFailures('passkey', BY_ORIGIN);
  const challenges = createSignInChallenges(dependencies.secret, clock);

  function site(): RelyingParty {
    const party = relyingPartyOf(publicUrl());
    if (party) return party;
    throw new AccountError('conflict', 'Passkeys need a host name in dashboard.public_url, and https.');
  }

  /** The response, if its challenge belongs to this session and was not used before. The challenge is then used up. */
  async function takeResponse(text: string, sessionId: string): Promise<BrowserResponse | null> {
    const response = readBrowserResponse(text);
    if (!response) return null;
    const isOpen = await records.passkeys.useChallenge(tokenSha256(response.challenge), sessionId);
    return isOpen ? response : null;
  }

  async function orNull<T>(verification: Promise<T>): Promise<T | null> {
    try {
      return await verification;
    } catch (error) {
      log.info({ because: (error as Error).message }, 'a response of a passkey was refused');
      return null;
    }
  }

  /** Runs after `add`, under the same lock: another session cannot set up a second factor at the same moment. */
  async function checkAdded(
    records: ActRecords,
    { accountId, sessionId }: SignedInUser,
    twoFactorSince: number | null,
  ): Promise<void> {
    const found = await records.sessions.find(sessionId);
    if (found?.account.twoFactorSince !== twoFactorSince)
      throw new AccountError('conflict', CHANGED_MEANWHILE);
    if (!owesSecondFactor(found, requiresTwoFactor())) return;
    if ((await records.passkeys.list(accountId)).length > 1)
      throw new AccountError('conflict', NEEDS_PASSKEY);
    await records.sessions.markByPasskey(sessionId);
    await records.sessions.endAll(accountId, sessionId);
  }

  async function signInWith(text: string, client: Client): Promise<SignedIn | null> {
    const response = readBrowserResponse(text);
    if (!response) return null;
    const challengeAt = challenges.issuedAt(response.challenge);
    if (challengeAt === null) return null;
    const found = await records.passkeys.find(response.id);
    if (!found) return null;
    const { passkey, account } = found;
    const handle = Buffer.from(account.id).toString('base64url');
    if (account.email === null || (response.userHandle !== null && response.userHandle !== handle))
      return null;
    const counter = await orNull(verifySignature(site(), response, passkey));
    if (counter === null) return null;
    return records.act(async (records) => {
      const counters = { before: passkey.counter, after: counter };
      const use = { ...counters, challengeAt, lifetimeMs: CHALLENGE_LIFETIME_MS };
      if (!(await records.passkeys.markUsed(passkey.id, use))) return null;
      return sessions.open(account, client, { within: records, byPasskey: true });
    });
  }

  return {
    isAvailable: () => relyingPartyOf(publicUrl()) !== null,

    async beginAdding({ accountId, sessionId, email }) {
      const present = await records.passkeys.list(accountId);
      const challenge = createToken();
      await records.passkeys.createChallenge({
        id: tokenSha256(challenge),
        sessionId,
        lifetimeMs: CHALLENGE_LIFETIME_MS,
      });
      return creationOptions(site(), { challenge, accountId, email: email ?? '', present });
    },

    async add(user, input, client) {
      const password = await ownPasswordProblem(user, input.password, client);
      if (password !== undefined) return { done: false, password };
      const response = await takeResponse(input.response, user.sessionId);
      const made = response && (await orNull(verifyNewPasskey(site(), response)));
      if (!made) return { done: false, response: NOT_ADDED };
      const name = nameOf(input.name, client);
      const account = await records.accounts.find(user.accountId);
      if (!account) throw new AccountError('conflict', 'The account is closed.');
      const store = async (records: ActRecords) => {
        if (!(await records.passkeys.add({ ...made, accountId: user.accountId, name }))) return false;
        await checkAdded(records, user, account.twoFactorSince);
        const entry = { act: 'passkey.added', subject: user.name, detail: { passkey: name } } as const;
        await recordAct({ records, clock }, user, entry);
        return true;
      };
      const added =
        account.twoFactorSince === null
          ? { result: await records.act(store) }
          : await takeCode({ account, typed: input.code, client }, store);
      if (!added) return { done: false, code: WRONG_CODE };
      if (added.result) return { done: true };
      return { done: false, response: `An account has at most ${MAX_PASSKEYS} passkeys, each once.` };
    },

    async remove(user, id) {
      await records.act(async (records) => {
        const removed = await records.passkeys.remove(id, user.accountId);
        if (!removed) return;
        const account = await records.accounts.find(user.accountId);
        const isLast = (await records.passkeys.list(user.accountId)).length === 0;
        if (requiresTwoFactor() && account?.twoFactorSince === null && isLast)
          throw new AccountError('conflict', LAST_FACTOR);
        const entry = {
          act: 'passkey.removed',
          subject: user.name,
          detail: { passkey: removed.name },
        } as const;
        await recordAct({ records, clock }, user, entry);
      });
    },

    beginSignIn: () => requestOptions(site(), challenges.issue()),

    async signIn(text, client) {
      const origin = originOf(client.ip);
      const waitMs = await failures.acquire(origin, clock());
      if (waitMs > 0) {
        throw new AccountError(
          'too_many_attempts',
          'Too many passkeys from this address were wrong. Wait a few minutes, or use your password.',
          Math.ceil(waitMs / 1_000),
        );
      }
      const signedIn = await signInWith(text, client);
      if (signedIn) failures.release(origin);
      return signedIn;
    },
  };
}

/** The name as typed, on one line. When it is left out, the passkey gets the name of the browser. */
function nameOf(typed: string, { userAgent }: Client): string {
  const name = typed.replace(/\p{C}/gu, ' ').trim();
  return [...(name === '' ? browserLabel(userAgent) : name)].slice(0, MAX_NAME_LENGTH).join('');
}
