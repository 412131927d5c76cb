import { parseMailbox } from '../addresses/email-address.ts';
import { parseIpAddress } from '../addresses/ip-address.ts';
import type { Clock } from '../clock.ts';
import { createRequestId } from '../http/request-id.ts';
import type { Correct } from '../verification/correct.ts';
import { correctSignup } from './corrected-body/correct-signup.ts';
import type { Enforcement } from './enforce.ts';
import type { SenderHead } from './gated-request.ts';
import { readContext } from './replay.ts';
import { replayedAnswerHeaders } from './replayed-answer.ts';
import type { CurrentSettings } from './settings.ts';
import type { Transport } from './transport/transport.ts';
import { upstreamTarget } from './transport/upstream-request.ts';

export interface CorrectionDependencies {
  readonly transport: Pick<Transport, 'forward'>;
  readonly enforceRead: Enforcement['enforceRead'];
  readonly settings: CurrentSettings;
  readonly clock: Clock;
}

/**
 * Puts the suggested address into a held signup and judges the result like a new signup, with the headers and the IP
 * address of the held signup. The client that accepted gets the answer. Like a replay, it continues when that client
 * disconnects.
 */
export function createCorrection({
  transport,
  enforceRead,
  settings,
  clock,
}: CorrectionDependencies): Correct {
  return async ({ held, suggestion, request, response, answerHeaders }) => {
    const { email: typed, peer } = readContext(held);
    const now = settings.current;
    const corrected = await correctSignup(held.message, { typed, corrected: suggestion }, now);
    const path = corrected && upstreamTarget(corrected.message.target)?.path;
    if (!corrected || !path) return { kind: 'impossible' };
    const receivedAt = clock();
    const { method, target, rawHeaders, body } = corrected.message;
    const { decisionId, forwarded, isNotHeld } = await enforceRead(
      {
        request,
        response,
        receivedAt,
        path,
        settings: now,
        match: corrected.match,
        requestId: createRequestId(receivedAt),
        sender: senderHead(rawHeaders),
        peer: { ...peer, ip: parseIpAddress(peer.address) },
        message: { method, target, rawHeaders, peer },
        corrects: parseMailbox(typed),
        forward: (...[from, to, options]) =>
          transport.forward(from, to, {
            ...options,
            outlivesClient: true,
            rewriteAnswer: (answer) => [...replayedAnswerHeaders(answer, path), ...answerHeaders],
            // The page of the signup shows the problem and the next step.
            onProblem: () => {},
          }),
      },
      corrected.signup,
      body,
    );
    if (isNotHeld) return { kind: 'not-held' };
    if (forwarded === null || forwarded.status !== null) return { kind: 'answered', correctedAs: decisionId };
    return forwarded.sent ? { kind: 'unanswered', correctedAs: decisionId } : { kind: 'unreachable' };
  };
}

/**
 * The header fields with the facts of a signup. When there are several user agents, the first one is used, as in Node.
 */
function senderHead(rawHeaders: readonly string[]): SenderHead {
  const at = rawHeaders.findIndex((name, i) => i % 2 === 0 && name.toLowerCase() === 'user-agent');
  const userAgent = at === -1 ? undefined : rawHeaders[at + 1];
  return {
    rawHeaders: [...rawHeaders],
    headers: userAgent === undefined ? {} : { 'user-agent': userAgent },
  };
}
