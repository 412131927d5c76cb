import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HeldSignup } from './held-signup.ts';

export interface CorrectRequest {
  readonly held: HeldSignup;
  /** The address that the sender accepts in place of the one that they typed. */
  readonly suggestion: string;
  /** The request that accepted, and the response for its client. */
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export type CorrectOutcome =
  /**
   * The corrected signup was decided on, and the response has its answer: that of the app, the page of a new held signup,
   * or a refusal. `correctedAs` is the request id of the decision.
   */
  | { readonly kind: 'answered' | 'unanswered'; readonly correctedAs: string }
  /** It was not held for now, and the response says so: too many mails, or no room. */
  | { readonly kind: 'not-held' }
  /** No byte reached the app, or the routes have changed. Nothing was written to the response. */
  | { readonly kind: 'unreachable' | 'impossible' };

/**
 * Puts the suggested address in the place of the typed one, judges the signup anew, and does what its route says.
 *
 * @throws ProblemError when the corrected signup cannot be read or held. Nothing was sent to the app.
 */
export type Correct = (correction: CorrectRequest) => Promise<CorrectOutcome>;
