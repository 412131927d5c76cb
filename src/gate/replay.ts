import type { HeldSignup } from '../verification/held-signup.ts';
import type { Replay } from '../verification/replay.ts';
import { gateHeaders, type Verdict } from './gate-headers.ts';
import type { GatedRequest } from './gated-request.ts';
import { replayedAnswerHeaders } from './replayed-answer.ts';
import type { GateSettings } from './settings.ts';
import type { Transport } from './transport/transport.ts';
import { type MessagePeer, upstreamTarget } from './transport/upstream-request.ts';

/** What the replay has to tell the app. Plain JSON: it is sealed with the request, and may outlive this process. */
export type ReplayContext = {
  readonly verdict: Verdict;
  /** As sent, without white space around it. */
  readonly email: string;
  readonly degraded: boolean;
  readonly peer: MessagePeer;
};

export interface ReplayDependencies {
  readonly transport: Pick<Transport, 'forward'>;
  readonly settings: () => GateSettings;
  readonly clock: () => number;
}

/** What has to be kept of a signup, beside the request itself, until it is replayed. */
export function replayContext(
  { peer }: GatedRequest,
  { verdict, email, degraded }: Pick<ReplayContext, 'verdict' | 'email' | 'degraded'>,
): ReplayContext {
  const { address, trusted, secure } = peer;
  return { verdict, email, degraded, peer: { address, trusted, secure } };
}

/**
 * Sends a held signup to the app as it came, from the address it came from, with what the gate says of it now: forwarded
 * and verified. Cookies are those of the signup, not those of the browser that confirmed; the answer goes to the latter.
 * The request outlives the client that confirmed: a second click on a button ends the connection of the first.
 */
export function createReplay({ transport, settings, clock }: ReplayDependencies): Replay {
  return async ({ held, request, response, answerHeaders }) => {
    const { message, requestId } = held;
    const { verdict, email, degraded, peer } = readContext(held);
    const path = upstreamTarget(message.target)?.path ?? '/';
    const { method, body, target, rawHeaders } = message;
    const asserted = { requestId, method, path, email, body, verified: true, now: clock() };
    const { status, sent } = await transport.forward(request, response, {
      requestId,
      body,
      message: { method, target, rawHeaders, peer },
      headers: gateHeaders(asserted, verdict, { signer: settings().signer, degraded }),
      outlivesClient: true,
      rewriteAnswer: (answer) => [...replayedAnswerHeaders(answer, path), ...answerHeaders],
      // The page of the signup says it, with the way to go on.
      onProblem: () => {},
    });
    if (status !== null) return 'answered';
    return sent ? 'unanswered' : 'unreachable';
  };
}

/** It was sealed by `replayContext`, here or in an earlier process. */
function readContext({ context }: HeldSignup): ReplayContext {
  return context as unknown as ReplayContext;
}
