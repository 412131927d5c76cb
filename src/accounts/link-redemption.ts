import type { IpAddress } from '../addresses/ip-address.ts';
import type { Clock } from '../clock.ts';
import type { Account } from '../storage/accounts/account-store.ts';
import type { AccountToken, TokenOutcome } from '../storage/accounts/account-token-store.ts';
import type { ActRecords, Storage } from '../storage/storage.ts';
import { tokenSha256 } from '../web/tokens.ts';
import { recordAct } from './account-audit.ts';
import type { AccountMailSender } from './account-mail-sender.ts';
import type { PasswordHasher } from './password-hasher.ts';
import { passwordProblem } from './password-rules.ts';
import { DEFAULT_PLAN } from './plan-limits.ts';
import { EMAIL_MISTAKE, readEmail } from './read-email.ts';
import { originOf, type SignInThrottle } from './sign-in-throttle.ts';
import type { Client } from './user-sessions.ts';

/** Errors in the input of a link's form, as sentences. */
export interface LinkProblems {
  readonly email?: string | undefined;
  readonly password?: string | undefined;
}

export type LinkOutcome =
  | { readonly done: true; readonly account: Account }
  /** `closed`: used, expired or void. `taken`: the email already has an account. */
  | { readonly done: false; readonly because: 'closed' | 'taken' }
  | { readonly done: false; readonly because: 'input'; readonly problems: LinkProblems };

/** Links from mails and from the command line, each of which works once. */
export interface LinkRedemption {
  /**
   * Null if the link is not valid, or no longer valid. Opening a link does not use it up, because mail scanners open
   * links too.
   */
  find(token: string): Promise<AccountToken | null>;
  /**
   * For every link except `email-change`: sets the password, and creates the account if the link has none.
   *
   * @throws AccountError `too_long`, `busy`.
   */
  choosePassword(
    link: AccountToken,
    /** `email` as typed. Only the link for the first operator uses it, because that operator has no email yet. */
    input: { readonly email: string; readonly password: string },
    ip: IpAddress,
  ): Promise<LinkOutcome>;
  /** The user requested the change with the password while signed in; the link proves access to the new mailbox. */
  confirmEmail(link: AccountToken, client: Pick<Client, 'ip' | 'language'>): Promise<LinkOutcome>;
}

interface RedemptionDependencies {
  readonly records: Pick<Storage, 'accountTokens' | 'act'>;
  readonly hasher: PasswordHasher;
  readonly throttle: SignInThrottle;
  readonly mailSender: AccountMailSender;
  readonly clock: Clock;
}

export function createLinkRedemption(dependencies: RedemptionDependencies): LinkRedemption {
  const { hasher, throttle, mailSender, clock } = dependencies;
  const { accountTokens, act } = dependencies.records;

  function redeem(
    { accountTokens }: ActRecords,
    { id, kind, accountId }: AccountToken,
    { email, password }: { readonly email: string; readonly password: string },
  ): Promise<TokenOutcome> {
    if (kind === 'registration') return accountTokens.register({ id, password, plan: DEFAULT_PLAN });
    if (accountId !== null) return accountTokens.choosePassword({ id, password });
    return accountTokens.makeFirstOperator({ id, password, email, plan: DEFAULT_PLAN });
  }

  function recordRedeemed(records: ActRecords, link: AccountToken, account: Account): Promise<void> {
    const { id: accountId, name, role, plan } = account;
    const isNew = link.accountId === null;
    return recordAct(
      { records, clock },
      { accountId, name },
      {
        act: isNew ? 'account.created' : 'account.password_set',
        subject: name,
        detail: isNew ? { role, plan } : {},
      },
    );
  }

  return {
    find: (token) => accountTokens.find(tokenSha256(token)),

    async choosePassword(link, input, ip) {
      const email = link.email ?? readEmail(input.email)?.text ?? null;
      const problems = {
        email: email === null ? EMAIL_MISTAKE : undefined,
        password: await passwordProblem(input.password, email),
      };
      if (email === null || problems.password !== undefined) {
        return { done: false, because: 'input', problems };
      }
      const password = await hasher.hash(input.password);
      const outcome = await act(async (records) => {
        const redeemed = await redeem(records, link, { email, password });
        if (redeemed.done) await recordRedeemed(records, link, redeemed.account);
        return redeemed;
      });
      if (!outcome.done) return outcome;
      throttle.forget({ account: email, origin: originOf(ip) });
      return outcome;
    },

    async confirmEmail({ id }, { ip, language }) {
      const outcome = await act(async (records) => {
        const confirmed = await records.accountTokens.confirmEmail(id);
        if (confirmed.done) {
          const { id: accountId, name } = confirmed.account;
          const entry = { act: 'account.email_set', subject: name } as const;
          await recordAct({ records, clock }, { accountId, name }, entry);
        }
        return confirmed;
      });
      if (!outcome.done) return outcome;
      const before = readEmail(outcome.before);
      if (before) mailSender.emailChanged({ email: before, ip, language });
      return outcome;
    },
  };
}
