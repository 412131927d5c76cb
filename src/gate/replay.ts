import type { HeldSignup } from '../verification/held-signup.ts';
import type { Replay } from '../verification/replay.ts';
import { gateHeaders, type Verdict } from './gate-headers.ts';
import type { GatedRequest } from './gated-request.ts';
import { replayedAnswerHeaders } from './replayed-answer.ts';
import type { GateSettings } from './settings.ts';
import type { Transport } from './transport/transport.ts';
import { type MessagePeer, upstreamTarget } from './transport/upstream-request.ts';

/**
 * The facts that a replay sends to the app. Plain JSON: it is sealed with the request and may be read by a later
 * process.
 */
export type ReplayContext = {
  readonly verdict: Verdict;
  /** The email as sent, trimmed. */
  readonly email: string;
  readonly degraded: boolean;
  readonly peer: MessagePeer;
};

export interface ReplayDependencies {
  readonly transport: Pick<Transport, 'forward'>;
  readonly settings: () => GateSettings;
  readonly clock: () => number;
}

/** The facts about a signup, besides the request itself, that are stored until the replay. */
export function replayContext(
  { peer }: GatedRequest,
  { verdict, email, degraded }: Pick<ReplayContext, 'verdict' | 'email' | 'degraded'>,
): ReplayContext {
  const { address, trusted, secure } = peer;
  return { verdict, email, degraded, peer: { address, trusted, secure } };
}

/**
 * Sends a held signup to the app as it arrived and from its original address, with new gate headers: forwarded and
 * verified. The request has the cookies of the signup, not those of the browser that confirmed; that browser gets the
 * answer. The request continues when the browser disconnects: a second click on a button closes the connection of the
 * first click.
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
      // The page of the signup shows the problem and the next step.
      onProblem: () => {},
    });
    if (status !== null) return 'answered';
    return sent ? 'unanswered' : 'unreachable';
  };
}

/** `replayContext` sealed this object, in this process or an earlier one. */
export function readContext({ context }: HeldSignup): ReplayContext {
  return context as unknown as ReplayContext;
}
