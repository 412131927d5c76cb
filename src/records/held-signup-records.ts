/**
 * Signups that wait for their sender to verify. Each step is one transaction or one conditional UPDATE, so that it
 * happens once however many processes try it, and stays when the process dies. Times are milliseconds since the epoch.
 *
 * States: `waiting` → `claimed` (verified, on its way to the app) → `done`; or `waiting` → `locked`. Where the app was
 * never reached, `claimed` goes back to `waiting`. A process that dies in between leaves `claimed` for good: nobody
 * knows whether the app has the request, and it must never get it twice.
 */
export interface HeldSignups {
  /** Stores a signup and counts its first mail, or says why not. */
  hold(signup: NewHeldSignup, bounds: HoldBounds): Promise<HoldOutcome>;
  /** By the SHA-256 of either token. Null: none of that token, or past its time. */
  find(tokenSha256: string, now: number): Promise<HeldSignupStatus | null>;
  /** Compares the code's keyed hash. A right one claims the signup; a wrong one counts, and the last one locks. */
  tryCode(attempt: CodeAttempt): Promise<CodeOutcome>;
  /** Claims a waiting signup for whoever followed its link. Null: it is not waiting any more. */
  claim(requestId: string, now: number): Promise<SealedSignup | null>;
  /** The app has it, or may have it. What was sealed is removed. */
  finish(requestId: string): Promise<void>;
  /** The app was never reached: the signup can be claimed again until it expires. */
  release(requestId: string): Promise<void>;
  /** Makes the new code the only one and counts the mail, or says why not. */
  renewMail(renewal: MailRenewal, budgets: MailBudgets): Promise<RenewalOutcome>;
  /** Notes how the mail fared that was counted at `mailedAt`. `codeExpiresAt`: the code's time starts with the mail. */
  markMail(mail: MailResult): Promise<void>;
  /** Whether the mailbox verified at or after `since`. A yes is given once for each time it did. */
  takePass(mailbox: string, since: number): Promise<boolean>;
  /** Ends what is past its time. Returns how many signups expired unverified. */
  sweep(times: SweepTimes): Promise<number>;
}

export interface NewHeldSignup {
  readonly requestId: string;
  readonly pageTokenSha256: string;
  readonly linkTokenSha256: string;
  readonly mailbox: string;
  readonly budgetKeys: BudgetKeys;
  readonly domain: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly codeHash: string;
  readonly codeExpiresAt: number;
  readonly keyId: string;
  /** Base64. */
  readonly sealed: string;
}

/** What the hourly budgets of mails are counted under, besides the site as a whole. */
export interface BudgetKeys {
  readonly mailbox: string;
  readonly origin: string;
}

export interface MailBudgets {
  readonly mailbox: number;
  readonly origin: number;
  readonly site: number;
}

export interface HoldBounds {
  readonly maxHeld: number;
  /** Bytes of base64 in all. */
  readonly maxHeldBytes: number;
  readonly budgets: MailBudgets;
}

export type HoldOutcome =
  | { readonly held: true }
  | { readonly held: false; readonly because: 'full' }
  | { readonly held: false; readonly because: 'budget'; readonly retryAfterMs: number };

export interface HeldSignupStatus {
  readonly requestId: string;
  /** Which of the two tokens it was. */
  readonly by: 'page' | 'link';
  readonly state: 'waiting' | 'claimed' | 'done' | 'locked';
  readonly domain: string;
  readonly expiresAt: number;
  readonly codeExpiresAt: number;
  readonly keyId: string;
  readonly tries: number;
  readonly mails: number;
  readonly mailedAt: number;
  readonly mailState: 'queued' | 'sent' | 'failed';
}

export interface CodeAttempt {
  readonly requestId: string;
  readonly codeHash: string;
  readonly maxTries: number;
  readonly now: number;
}

export type CodeOutcome =
  | { readonly kind: 'claimed'; readonly signup: SealedSignup }
  | { readonly kind: 'wrong'; readonly triesLeft: number }
  | { readonly kind: 'locked' }
  /** Claimed, done, locked or expired in the meantime. */
  | { readonly kind: 'closed' };

export interface SealedSignup {
  readonly requestId: string;
  readonly keyId: string;
  readonly sealed: string;
}

export interface MailRenewal {
  readonly requestId: string;
  readonly now: number;
  readonly maxMails: number;
  /** Between two mails, unless the last one failed. */
  readonly waitMs: number;
  readonly codeHash: string;
  readonly codeExpiresAt: number;
}

export type RenewalOutcome =
  | { readonly kind: 'renewed'; readonly signup: SealedSignup }
  | { readonly kind: 'too-soon'; readonly retryAfterMs: number }
  | { readonly kind: 'budget'; readonly retryAfterMs: number }
  | { readonly kind: 'no-more' }
  | { readonly kind: 'closed' };

export interface MailResult {
  readonly requestId: string;
  readonly mailedAt: number;
  readonly state: 'sent' | 'failed';
  readonly codeExpiresAt: number;
}

export interface SweepTimes {
  readonly now: number;
  /** A signup that was verified before then gives no pass any more. */
  readonly passesSince: number;
}
