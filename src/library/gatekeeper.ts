import type { SignupScore } from './signup-score.ts';

/** The judge in this process. */
export interface Gatekeeper {
  /**
   * Judges a signup and stores the decision. An email that is not a valid mailbox is judged too: it is the finding
   * `invalid_email`.
   * @throws TypeError that names every field of a wrong type, and also an invalid IP address.
   * @throws Error after `close`.
   */
  score(signup: SignupFacts): Promise<SignupScore>;
  /**
   * Stores whether a signup was legitimate or fraud. A later call replaces the label.
   * @param requestId of a score or a decision.
   * @returns false when there is no such decision.
   * @throws TypeError for another label, Error after `close`.
   */
  feedback(requestId: string, label: 'legitimate' | 'fraud'): Promise<boolean>;
  /**
   * Finishes the running calls within `server.drain_timeout`, and closes storage, counters and data sets. A second call
   * waits for the first.
   */
  close(): Promise<void>;
}

/** The facts about one signup that the app knows. */
export interface SignupFacts {
  /** The email as the sender wrote it. */
  readonly email: string;
  /** The IPv4 or IPv6 address of the sender. It must not be the address of a proxy. */
  readonly ipAddress: string;
  /** The `User-Agent` header. Null, empty and left out all mean that the request had no such header. */
  readonly userAgent?: string | null | undefined;
}
