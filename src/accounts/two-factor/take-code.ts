import type { Clock } from '../../clock.ts';
import type { Account } from '../../storage/accounts/account-store.ts';
import type { ActRecords, Storage } from '../../storage/storage.ts';
import type { Logger } from '../../telemetry/logger.ts';
import { readCode } from '../../web/tokens.ts';
import { recordAct } from '../account-audit.ts';
import { AccountError } from '../account-error.ts';
import { knownBrowserId } from '../known-browser.ts';
import { originOf, type SignInThrottle } from '../sign-in-throttle.ts';
import type { Client } from '../user-sessions.ts';
import { recoveryCodeSha256 } from './recovery-codes.ts';
import { stepOfCode } from './totp.ts';
import type { TwoFactorSecrets } from './two-factor-secrets.ts';

export interface TypedCode {
  readonly account: Pick<Account, 'id' | 'name' | 'passwordChangedAt'>;
  /** Six digits of the authenticator app, or a recovery code. */
  readonly typed: string;
  readonly client: Client;
}

/**
 * Takes a code once, and does the work that it allows in the same transaction. Wrong codes are counted.
 *
 * @returns null for a wrong or used code.
 * @throws AccountError `too_many_attempts`; `conflict` when the stored secret cannot be read.
 */
export type TakeCode = <T>(
  code: TypedCode,
  work: (records: ActRecords) => Promise<T>,
) => Promise<{ readonly result: T } | null>;

export interface TakeCodeDependencies {
  readonly records: Pick<Storage, 'twoFactor' | 'act'>;
  readonly secrets: TwoFactorSecrets;
  /** The secret for the marks of known browsers. */
  readonly secret: string;
  readonly throttle: SignInThrottle;
  readonly clock: Clock;
  readonly log: Logger;
}

type TakenOrNot<T> = { readonly result: T } | { readonly waitMs: number };
type Take = (records: ActRecords) => Promise<{ readonly taken: boolean; readonly waitMs?: number }>;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export function createTakeCode(dependencies: TakeCodeDependencies): TakeCode {
  const { records, secrets, secret, throttle, clock, log } = dependencies;

  /** The time step of a code of the app. */
  async function stepOf({ account, typed }: TypedCode): Promise<number | null> {
    const code = readCode(typed);
    const factor = await records.twoFactor.find(account.id);
    if (code === null || !factor) return null;
    const opened = secrets.open(account.id, factor.sealedSecret);
    if (opened !== null) return stepOfCode(opened, code, clock());
    log.error(
      { account: account.id },
      'the secret of a second factor cannot be read: it was encrypted with another secret file',
    );
    throw new AccountError(
      'conflict',
      'The stored secret of your authenticator app cannot be read. Use a recovery code, or ask an operator to remove your second factor.',
    );
  }

  async function takerOf(code: TypedCode, isKnownBrowser: boolean): Promise<Take> {
    const { id, name } = code.account;
    const sha256 = recoveryCodeSha256(id, code.typed);
    if (sha256 === null) {
      const step = await stepOf(code);
      return (records) => records.twoFactor.takeCode(id, { step, isKnownBrowser });
    }
    return async (records) => {
      const taken = await records.twoFactor.takeRecoveryCode(id, sha256);
      if (taken) {
        const left = (await records.twoFactor.find(id))?.recoveryCodesLeft ?? 0;
        const entry = { act: 'two_factor.recovery_code_used', subject: name, detail: { left } } as const;
        await recordAct({ records, clock }, { accountId: id, name }, entry);
      }
      return { taken };
    };
  }

  return async (code, work) => {
    const { account, typed, client } = code;
    const isRecoveryCode = recoveryCodeSha256(account.id, typed) !== null;
    const browser = knownBrowserId(client.knownBrowser, account, secret);
    const guess = {
      // Recovery codes have a separate limit of tries, so that they still work when the tries for other codes are used
      // up.
      account: `${isRecoveryCode ? 'recovery code' : 'second factor'} of ${account.id}`,
      origin: originOf(client.ip),
      browser,
      kind: 'code' as const,
    };
    await throttle.begin(guess);
    try {
      const take = await takerOf(code, browser !== null);
      const outcome = await records.act<TakenOrNot<Awaited<ReturnType<typeof work>>>>(async (records) => {
        const taken = await take(records);
        if (!taken.taken) return { waitMs: taken.waitMs ?? 0 };
        return { result: await work(records) };
      });
      if ('result' in outcome) {
        throttle.succeed(guess);
        return outcome;
      }
      if (outcome.waitMs === 0) return null;
      throw tooManyCodes(outcome.waitMs);
    } catch (error) {
      throttle.abandon(guess);
      throw error;
    }
  };
}

function tooManyCodes(waitMs: number): AccountError {
  const hours = Math.ceil(waitMs / HOUR_MS);
  return new AccountError(
    'too_many_attempts',
    `Too many wrong codes. Wait ${hours === 1 ? 'an hour' : `${hours} hours`}, or use a recovery code.`,
    Math.ceil(waitMs / 1_000),
  );
}
