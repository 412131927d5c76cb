import type { SignupScore } from './signup-score.ts';

/** The judge in this process. */
export interface Gatekeeper {
  /**
   * Judges a signup and stores the decision. An email that is not a valid mailbox is judged too: it is the finding
   * `invalid_email`.
   * @throws TypeError that names every field of a wrong type, and an address that is not an IP address.
   * @throws Error after `close`.
   */
  score(signup: SignupFacts): Promise<SignupScore>;
  /**
   * Stores what a signup turned out to be; a later call replaces it.
   * @param requestId of a score or a decision.
   * @returns false when there is no such decision.
   * @throws TypeError for another label, Error after `close`.
   */
  feedback(requestId: string, label: 'legitimate' | 'fraud'): Promise<boolean>;
  /**
   * Finishes what is running, within `server.drain_timeout`, and closes storage, counters and data sets. A second call
   * waits for the first.
   */
  close(): Promise<void>;
}

/** One signup, as the app knows it. */
export interface SignupFacts {
  /** As the sender wrote it. */
  readonly email: string;
  /** IPv4 or IPv6 of the sender, never of a proxy. */
  readonly ipAddress: string;
  /** The `User-Agent` header; null, empty and left out mean that there was none. */
  readonly userAgent?: string | null | undefined;
}
