import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HeldSignup } from './held-signup.ts';

export interface ReplayRequest {
  readonly held: HeldSignup;
  /** How the sender verified. */
  readonly verifiedBy: 'code' | 'link';
  /** The request that confirmed, and the response to which the answer of the app goes. */
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Header fields to add to the app's answer, name and value in turn. */
  readonly answerHeaders: readonly string[];
}

/**
 * - `answered`: the app's answer, complete or not, was written to the response.
 * - `unreachable`: no byte of the signup reached the app. Nothing was written to the response.
 * - `unanswered`: the app may have the signup, but there is no answer. Nothing was written to the response.
 */
export type ReplayOutcome = 'answered' | 'unreachable' | 'unanswered';

/** Sends a held signup to the app, unchanged and once, and the app's answer to the client that confirmed. */
export type Replay = (replay: ReplayRequest) => Promise<ReplayOutcome>;
