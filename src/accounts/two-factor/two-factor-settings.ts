import type { Clock } from '../../clock.ts';
import type { Account } from '../../storage/accounts/account-store.ts';
import type { Storage } from '../../storage/storage.ts';
import { readCode } from '../../web/tokens.ts';
import { recordAct } from '../account-audit.ts';
import { AccountError } from '../account-error.ts';
import type { OwnPasswordProblem, SignedInUser } from '../own-password.ts';
import type { Client } from '../user-sessions.ts';
import { NEEDS_PASSKEY } from './owes-second-factor.ts';
import { createRecoveryCodes, recoveryCodeSha256 } from './recovery-codes.ts';
import type { TakeCode } from './take-code.ts';
import { createTotpSecret, stepOfCode, totpUri } from './totp.ts';
import type { TwoFactorSecrets } from './two-factor-secrets.ts';

export interface TwoFactorProblems {
  readonly code?: string | undefined;
  readonly password?: string | undefined;
}

/** The recovery codes are shown once: only their hashes are stored. */
export type NewCodesOutcome =
  | { readonly done: true; readonly recoveryCodes: readonly string[] }
  | { readonly done: false; readonly problems: TwoFactorProblems };

export type TurnOffOutcome =
  | { readonly done: true }
  | { readonly done: false; readonly problems: TwoFactorProblems };

interface Input {
  readonly password: string;
  /** The code as typed. */
  readonly code: string;
}

/**
 * The second factor of the signed-in user. Each change needs the password and a code.
 *
 * Functions that take a password or a code throw AccountError `too_many_attempts`, `too_long`, `busy`, `conflict`.
 */
export interface TwoFactorSettings {
  /** Makes a secret that only this session sees. Sign-ins ask for codes only after `turnOn`. */
  begin(user: SignedInUser): Promise<void>;
  /** The secret of this session's set-up. Null: no set-up was begun, or it has expired. */
  findSetUp(user: SignedInUser): Promise<{ readonly secret: string; readonly uri: string } | null>;
  /** Ends all other sessions. */
  turnOn(user: SignedInUser, input: Input, client: Client): Promise<NewCodesOutcome>;
  /**
   * The old recovery codes no longer work. The code may be one of the old recovery codes. A code is required, because
   * otherwise a thief of a session and of the password could create new codes and turn two-factor off.
   */
  replaceRecoveryCodes(user: SignedInUser, input: Input, client: Client): Promise<NewCodesOutcome>;
  /** The code may be a recovery code. */
  turnOff(user: SignedInUser, input: Input, client: Client): Promise<TurnOffOutcome>;
}

export interface TwoFactorSettingsDependencies {
  readonly records: Pick<Storage, 'accounts' | 'twoFactor' | 'act'>;
  readonly secrets: TwoFactorSecrets;
  readonly ownPasswordProblem: OwnPasswordProblem;
  readonly takeCode: TakeCode;
  /** The current `dashboard.require_two_factor`. */
  readonly requiresTwoFactor: () => boolean;
  readonly publicUrl: () => string;
  readonly clock: Clock;
}

const SET_UP_LIFETIME_MS = 3_600_000;
export const WRONG_CODE =
  'This code is wrong or was used before. Wait for the next code of the app, and check the clock of the phone.';
const ANOTHER_SET_UP =
  'This set-up has ended, or was begun again in another window. Open the page of two-factor again.';

export function createTwoFactorSettings(dependencies: TwoFactorSettingsDependencies): TwoFactorSettings {
  const { records, secrets, ownPasswordProblem, takeCode } = dependencies;
  const { requiresTwoFactor, publicUrl, clock } = dependencies;

  async function requireAccount({ accountId }: SignedInUser): Promise<Account> {
    const account = await records.accounts.find(accountId);
    if (!account) throw new AccountError('conflict', 'The account is closed.');
    return account;
  }

  function newCodes({ accountId }: SignedInUser) {
    const recoveryCodes = createRecoveryCodes();
    return {
      recoveryCodes,
      sha256s: recoveryCodes.flatMap((code) => recoveryCodeSha256(accountId, code) ?? []),
    };
  }

  return {
    async begin(user) {
      const { accountId, sessionId } = user;
      const sealedSecret = secrets.seal(accountId, createTotpSecret());
      await records.twoFactor.beginSetUp({
        accountId,
        sessionId,
        sealedSecret,
        lifetimeMs: SET_UP_LIFETIME_MS,
      });
    },

    async findSetUp({ accountId, sessionId, email }) {
      const sealed = await records.twoFactor.findSetUp(accountId, sessionId);
      const secret = sealed === null ? null : secrets.open(accountId, sealed);
      const site = new URL(publicUrl()).host;
      return secret === null ? null : { secret, uri: totpUri(secret, { email: email ?? '', site }) };
    },

    async turnOn(user, { password, code }, client) {
      const { accountId, sessionId, name } = user;
      const sealedSecret = await records.twoFactor.findSetUp(accountId, sessionId);
      const secret = sealedSecret === null ? null : secrets.open(accountId, sealedSecret);
      if (sealedSecret === null || secret === null) throw new AccountError('conflict', ANOTHER_SET_UP);
      const digits = readCode(code);
      const step = digits === null ? null : stepOfCode(secret, digits, clock());
      const problems = {
        code: step === null ? WRONG_CODE : undefined,
        password: await ownPasswordProblem(user, password, client),
      };
      if (step === null || problems.password !== undefined) return { done: false, problems };
      const { recoveryCodes, sha256s } = newCodes(user);
      const isOn = await records.act(async (records) => {
        const change = { accountId, sessionId, sealedSecret, step, recoveryCodes: sha256s };
        if (!(await records.twoFactor.turnOn(change))) return false;
        // Runs under the lock of `turnOn`: another session cannot add a passkey at the same moment.
        const found = await records.sessions.find(sessionId);
        if (!found) throw new AccountError('conflict', ANOTHER_SET_UP);
        const owed = requiresTwoFactor() && !found.session.byPasskey;
        if (owed && (await records.passkeys.list(accountId)).length > 0)
          throw new AccountError('conflict', NEEDS_PASSKEY);
        await recordAct({ records, clock }, user, { act: 'two_factor.turned_on', subject: name });
        return true;
      });
      if (!isOn) throw new AccountError('conflict', ANOTHER_SET_UP);
      return { done: true, recoveryCodes };
    },

    async replaceRecoveryCodes(user, { password, code }, client) {
      const problem = await ownPasswordProblem(user, password, client);
      if (problem !== undefined) return { done: false, problems: { password: problem } };
      const { recoveryCodes, sha256s } = newCodes(user);
      const account = await requireAccount(user);
      const taken = await takeCode({ account, typed: code, client }, async (records) => {
        await records.twoFactor.replaceRecoveryCodes(user.accountId, sha256s);
        const entry = { act: 'two_factor.recovery_codes_made', subject: user.name } as const;
        await recordAct({ records, clock }, user, entry);
      });
      return taken ? { done: true, recoveryCodes } : { done: false, problems: { code: WRONG_CODE } };
    },

    async turnOff(user, { password, code }, client) {
      const problem = await ownPasswordProblem(user, password, client);
      if (problem !== undefined) return { done: false, problems: { password: problem } };
      const account = await requireAccount(user);
      const taken = await takeCode({ account, typed: code, client }, async (records) => {
        await records.twoFactor.turnOff(user.accountId);
        await recordAct({ records, clock }, user, { act: 'two_factor.turned_off', subject: user.name });
      });
      return taken ? { done: true } : { done: false, problems: { code: WRONG_CODE } };
    },
  };
}
