/**
 * Signups that wait for their sender to verify. Each step is one transaction or one conditional UPDATE, so that it
 * happens once however many processes try it, and stays when the process dies. Times are milliseconds since the epoch.
 *
 * States: `waiting` → `claimed` (verified, on its way to the app) → `done`; or `waiting` → `locked` or `reported`. Where
 * the app was never reached, `claimed` goes back to `waiting`. A process that dies in between leaves `claimed` for good: nobody
 * knows whether the app has the request, and it must never get it twice.
 */
export interface HeldSignups {
  /** Stores a signup and counts its first mail, or says why not: budgets are asked first, then the room. */
  hold(signup: NewHeldSignup, bounds: HoldBounds): Promise<HoldOutcome>;
  /** By the SHA-256 of either token. Null: none of that token, or past its time. */
  find(tokenSha256: string, now: number): Promise<HeldSignupStatus | null>;
  /** Compares the code's keyed hash. A right one claims the signup; a wrong one counts, and the last one locks. */
  tryCode(attempt: CodeAttempt): Promise<CodeOutcome>;
  /** Claims a waiting signup for whoever followed its link. Null: it is not waiting any more. */
  claim(claim: Claim): Promise<SealedSignup | null>;
  /**
   * The mailbox's owner says that the signup is not theirs: it is dropped, and its decision is labelled as fraud unless
   * somebody labelled it already. False: it is not waiting any more.
   */
  report(requestId: string, now: number): Promise<boolean>;
  /** The app has it, or may have it. What was sealed is removed. */
  finish(requestId: string): Promise<void>;
  /** The app was never reached: the signup can be claimed again until it expires. */
  release(requestId: string): Promise<void>;
  /** Makes the new code the only one and counts the mail, or says why not. */
  renewMail(renewal: MailRenewal, budgets: MailBudgets): Promise<RenewalOutcome>;
  /** Notes how the mail fared that was counted at `mailedAt`. `codeExpiresAt`: the code's time starts with the mail. */
  markMail(mail: MailResult): Promise<void>;
  /** Whether the same sender verified the mailbox at or after `since`. A yes is given once for each time it did. */
  takePass(pass: PassRequest): Promise<boolean>;
  /** Ends what is past its time. Returns how many signups expired unverified. */
  sweep(times: SweepTimes): Promise<number>;
}

export interface NewHeldSignup {
  readonly requestId: string;
  /** The request id that its decision is found by, where it repeats an earlier one. Left out: its own. */
  readonly keptAs?: string;
  readonly pageTokenSha256: string;
  readonly linkTokenSha256: string;
  readonly mailbox: string;
  readonly budgetKeys: BudgetKeys;
  readonly domain: string;
  /** /24 or /48. */
  readonly network: string;
  /** From where a later signup may pass: narrower than `network` for IPv6. */
  readonly passNetwork: string;
  /** Pseudonym; empty where none was sent. */
  readonly userAgent: string;
  readonly sender: SenderFacts;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly codeHash: string;
  readonly codeExpiresAt: number;
  readonly keyId: string;
  /** Characters that `seal` returns. */
  readonly size: number;
  /** Base64. Called once there is room: sealing a large signup costs milliseconds. */
  seal(): string;
}

/** What the mailbox's owner is told about the sender, in words of fixed lists. Null: not known. */
export interface SenderFacts {
  readonly browser: string | null;
  readonly system: string | null;
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null;
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
  /** No room at all, or none of the part that its sender may have. */
  | { readonly held: false; readonly because: 'full'; readonly of: 'all' | 'sender' | 'signup' }
  | { readonly held: false; readonly because: 'budget'; readonly retryAfterMs: number };

export interface HeldSignupStatus {
  readonly requestId: string;
  /** Which of the two tokens it was. */
  readonly by: 'page' | 'link';
  readonly state: 'waiting' | 'claimed' | 'done' | 'locked' | 'reported';
  readonly domain: string;
  readonly sender: SenderFacts;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly codeExpiresAt: number;
  readonly keyId: string;
  readonly tries: number;
  readonly mails: number;
  readonly mailedAt: number;
  readonly mailState: 'queued' | 'sent' | 'failed';
}

export interface Claim {
  readonly requestId: string;
  readonly now: number;
  /** SHA-256 of what the confirming browser is given, to pass again with; null: a program confirms. */
  readonly passTokenSha256: string | null;
}

export interface CodeAttempt extends Claim {
  readonly codeHash: string;
  readonly maxTries: number;
}

/** A signup that may pass because the sender verified the mailbox a moment ago. */
export interface PassRequest {
  readonly mailbox: string;
  readonly network: string;
  /** Pseudonym; empty where none was sent. */
  readonly userAgent: string;
  /** SHA-256 of the tokens that it carries. */
  readonly tokens: readonly string[];
  /** Milliseconds since the epoch. */
  readonly since: number;
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
