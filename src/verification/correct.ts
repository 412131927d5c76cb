import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HeldSignup } from './held-signup.ts';

export interface CorrectRequest {
  readonly held: HeldSignup;
  /** The email address that the sender accepts in place of the typed one. */
  readonly suggestion: string;
  /** The request that accepted the suggestion, and the response for its client. */
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Header fields to add to the app's answer: name, value, name, value, … */
  readonly answerHeaders: readonly string[];
}

export type CorrectOutcome =
  /**
   * The corrected signup has a decision, and the response has its answer: the answer of the app, the page of a new held
   * signup, or a refusal. `correctedAs` is the request id of the decision.
   */
  | { readonly kind: 'answered' | 'unanswered'; readonly correctedAs: string }
  /** It could not be held now, and the response gives the cause: too many mails, or no room. */
  | { readonly kind: 'not-held' }
  /** The app received no byte, or the routes have changed. Nothing was written to the response. */
  | { readonly kind: 'unreachable' | 'impossible' };

/**
 * Replaces the typed address with the suggested one, judges the signup again, and takes the action of its route.
 *
 * @throws ProblemError when the corrected signup cannot be read or held. Nothing was sent to the app.
 */
export type Correct = (correction: CorrectRequest) => Promise<CorrectOutcome>;
