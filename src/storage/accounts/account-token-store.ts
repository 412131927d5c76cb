import type { BudgetKeys, MailBudgets } from '../held-signups/mail-budgets.ts';
import type { Account } from './account-store.ts';
import type { NewUser } from './user-store.ts';

/**
 * The purpose of a link in a mail or from the command line. `set-up` without an account creates the first operator;
 * with an account, its user chooses the first password.
 */
export type AccountTokenKind = 'set-up' | 'registration' | 'password-reset' | 'email-change';

/**
 * Links that work once. One transaction uses up the link and performs its purpose: of fifty clicks, only one takes
 * effect.
 */
export interface AccountTokenStore {
  /** @throws StorageConflictError when the account of the token is closed. */
  create(token: NewAccountToken): Promise<void>;
  /**
   * Stores the link for the first operator, unless a link made earlier is still valid, or an operator exists. When
   * several nodes call it at once, only one stores its link.
   */
  createFirstSetUp(token: NewAccountToken): Promise<FirstSetUp>;
  /**
   * Stores a link and counts a mail. Links for a new password have their own budget for each mailbox, in which only such
   * links count.
   */
  createForMail(token: NewAccountToken, mail: MailCount): Promise<MailedLink>;
  /** Counts a mail without a link. False when an hourly budget is used up. */
  countMail(mail: MailCount): Promise<boolean>;
  /** The purpose of a valid link. This does not use up the link. */
  find(id: string): Promise<AccountToken | null>;
  /** `set-up` without an account: creates the first operator. */
  makeFirstOperator(use: TokenUse & Pick<NewUser, 'email' | 'plan'>): Promise<TokenOutcome>;
  /** `registration`: creates a member with the token's email. */
  register(use: TokenUse & Pick<NewUser, 'plan'>): Promise<TokenOutcome>;
  /** `set-up` with an account and `password-reset`: ends every session and every other link of the account. */
  choosePassword(use: TokenUse): Promise<TokenOutcome>;
  /** `email-change`: the token's email becomes the account's. */
  confirmEmail(id: string): Promise<EmailOutcome>;
}

export interface NewAccountToken {
  /** SHA-256 of the link's token, hex. */
  readonly id: string;
  readonly kind: AccountTokenKind;
  readonly accountId: string | null;
  readonly email: string | null;
  readonly lifetimeMs: number;
  /** Of the account when its password allowed the link. Left out: the link needs no password. */
  readonly passwordChangedAt?: number | null;
}

/**
 * Nothing is stored when an hourly budget is used up (`over-budget`), or when the account is closed or its password was
 * changed since it allowed the link (`closed`).
 */
export type MailedLink = 'stored' | 'over-budget' | 'closed';

export interface AccountToken extends Omit<NewAccountToken, 'lifetimeMs' | 'passwordChangedAt'> {
  readonly expiresAt: number;
}

export type FirstSetUp =
  | { readonly created: true }
  /** The `validUntil` of the earlier link; null when an operator exists. */
  | { readonly created: false; readonly validUntil: number | null };

export interface MailCount {
  readonly keys: BudgetKeys;
  readonly budgets: MailBudgets;
}

export interface TokenUse {
  readonly id: string;
  /** The hash. */
  readonly password: string;
}

export type TokenOutcome =
  | { readonly done: true; readonly account: Account }
  /** `closed`: the link was used, has expired or is no longer valid. `taken`: an account has that email. */
  | { readonly done: false; readonly because: 'closed' | 'taken' };

export type EmailOutcome =
  | { readonly done: true; readonly account: Account; readonly before: string }
  | { readonly done: false; readonly because: 'closed' | 'taken' };
