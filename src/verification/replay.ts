import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HeldSignup } from './held-signup.ts';

export interface ReplayRequest {
  readonly held: HeldSignup;
  /** The way in which the sender verified the mailbox. */
  readonly verifiedBy: 'code' | 'link';
  /** The confirming request, and the response that receives the answer of the app. */
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Header fields to add to the app's answer: name, value, name, value, … */
  readonly answerHeaders: readonly string[];
}

/**
 * - `answered`: the app's answer, complete or not, was written to the response.
 * - `unreachable`: no byte of the signup reached the app. Nothing was written to the response.
 * - `unanswered`: the app may have the signup, but there is no answer. Nothing was written to the response.
 */
export type ReplayOutcome = 'answered' | 'unreachable' | 'unanswered';

/** Sends a held signup to the app, unchanged and only once. The client that confirmed gets the app's answer. */
export type Replay = (replay: ReplayRequest) => Promise<ReplayOutcome>;
