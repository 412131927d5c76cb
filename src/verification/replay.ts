import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HeldSignup } from './held-signup.ts';

export interface ReplayRequest {
  readonly held: HeldSignup;
  /** What the sender verified with. */
  readonly verifiedBy: 'code' | 'link';
  /** The request that confirmed, and the app's way to answer it. */
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** To be added to the app's answer, name and value in turn. */
  readonly answerHeaders: readonly string[];
}

/**
 * - `answered`: the app's answer was given to the response, or as much of it as there was.
 * - `unreachable`: not a byte of the signup went to the app. Nothing was written to the response.
 * - `unanswered`: the app may have the signup, but there is no answer. Nothing was written to the response.
 */
export type ReplayOutcome = 'answered' | 'unreachable' | 'unanswered';

/** Sends a held signup to the app, as it came and once, and the app's answer to the client that confirmed. */
export type Replay = (replay: ReplayRequest) => Promise<ReplayOutcome>;
