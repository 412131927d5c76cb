/** States from which a signup is claimed. */
export type ClaimableState = 'waiting' | 'offered' | 'refused';

export interface Claim {
  readonly requestId: string;
  readonly now: number;
  /** SHA-256 of the token with which the confirming browser may pass again; null when a program confirms. */
  readonly passTokenSha256: string | null;
}

export interface CorrectionClaim {
  readonly requestId: string;
  readonly now: number;
  /** The state before. */
  readonly was: ClaimableState;
  /** SHA-256 of a token of this claim, which no browser receives. */
  readonly tokenSha256: string;
}

/** What a claim has stored: by this, only the process that claimed a signup releases it. */
export interface ClaimMark {
  readonly requestId: string;
  /** Null when the claim is no verification. */
  readonly verifiedAt: number | null;
  readonly tokenSha256: string | null;
}

export interface CodeAttempt extends Claim {
  readonly codeHash: string;
  readonly maxTries: number;
}
