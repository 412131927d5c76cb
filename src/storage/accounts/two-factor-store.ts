/** The second factor of users: a secret for codes by time (RFC 6238), and recovery codes. */
export interface TwoFactorStore {
  /** Null: two-factor is off. */
  find(accountId: string): Promise<SecondFactor | null>;
  /** Stores a secret that is not active yet. Replaces an earlier one of the account. */
  beginSetUp(setUp: NewSetUp): Promise<void>;
  /** The secret of a set-up that this session began. Null when there is no set-up, or it has expired. */
  findSetUp(accountId: string, sessionId: string): Promise<string | null>;
  /**
   * Makes the secret of the set-up active, and ends all other sessions of the account.
   *
   * @returns false when the set-up is replaced or expired, or two-factor is on already.
   */
  turnOn(change: TurnOn): Promise<boolean>;
  /**
   * Accepts a code only once: of two simultaneous uses on any nodes, only one succeeds. Wrong codes are counted here,
   * so a restart or another node gives no further tries. Browsers that signed in before have their own count: a
   * stranger who knows the password cannot lock the owner out of them.
   *
   * @param step The time step of the code; null when no step has this code.
   */
  takeCode(
    accountId: string,
    use: { readonly step: number | null; readonly isKnownBrowser: boolean },
  ): Promise<CodeOutcome>;
  /** True only once for each code. */
  takeRecoveryCode(accountId: string, sha256: string): Promise<boolean>;
  /** False when two-factor is off. */
  replaceRecoveryCodes(accountId: string, sha256s: readonly string[]): Promise<boolean>;
  /** Deletes the secret, the recovery codes and waiting sign-ins. False when two-factor is off. */
  turnOff(accountId: string): Promise<boolean>;
}

export interface SecondFactor {
  /** Encrypted; see `two-factor-secrets.ts` of the account service. */
  readonly sealedSecret: string;
  readonly recoveryCodesLeft: number;
}

export interface NewSetUp {
  readonly accountId: string;
  readonly sessionId: string;
  readonly sealedSecret: string;
  readonly lifetimeMs: number;
}

export interface TurnOn {
  readonly accountId: string;
  /** The session that continues. */
  readonly sessionId: string;
  readonly sealedSecret: string;
  /** The step of the code that confirmed the secret. This code cannot sign in again. */
  readonly step: number;
  readonly recoveryCodes: readonly string[];
}

export type CodeOutcome =
  | { readonly taken: true }
  /** `waitMs`: 0 for a wrong or used code; otherwise the limit of wrong codes is reached. */
  | { readonly taken: false; readonly waitMs: number };
