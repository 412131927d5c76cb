import { openDroppedAnswer } from '../http/dropped-answer.ts';
import type { HeldSignup } from '../verification/held-signup.ts';
import type { Replay, ReplayOutcome, ReplayRequest } from '../verification/replay.ts';
import type { ReviewedReplay } from '../verification/review.ts';
import { SVELTEKIT_FIELD } from '../web/library-answers.ts';
import { prefersHtml } from '../web/prefers-html.ts';
import { type AssertedRequest, gateHeaders, type Verdict } from './gate-headers.ts';
import type { GatedRequest } from './gated-request.ts';
import { replayedAnswerHeaders } from './replayed-answer.ts';
import type { CurrentSettings } from './settings.ts';
import type { Forwarded } from './transport/exchange-dependencies.ts';
import type { Transport } from './transport/transport.ts';
import { type MessagePeer, upstreamTarget } from './transport/upstream-request.ts';

/**
 * The facts that a replay sends to the app. They are plain JSON, since they are sealed with the request and a later
 * process may read them.
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
  readonly settings: CurrentSettings;
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
 * Sends a held signup to the app as it arrived and from its original address, with new gate headers that say forwarded
 * and verified. The request has the cookies of the signup, not those of the browser that confirmed; that browser gets
 * the answer, in an encoding that it can read. The request continues when the browser disconnects: a second click on a
 * button closes the connection of the first click.
 */
export function createReplay(dependencies: ReplayDependencies): Replay {
  return async ({ held, request, response, answerHeaders }) => {
    const path = upstreamTarget(held.message.target)?.path ?? '/';
    const readable = acceptablePage(request, readableFor(request, held));
    const { status, sent } = await send(readable, { request, response }, dependencies, {
      proof: { verified: true },
      rewriteAnswer: (answer) => [...replayedAnswerHeaders(answer, path), ...answerHeaders],
    });
    return outcomeOf(status, sent);
  };
}

/**
 * Sends a signup to the app after the staff has accepted it. Its headers say `reviewed`, not verified. The answer of
 * the app is read and dropped, since the browser of the sender does not wait for it.
 */
export function createReviewedReplay(
  dependencies: ReplayDependencies,
): (held: HeldSignup) => Promise<ReviewedReplay> {
  return async (held) => {
    const { status, sent } = await send(held, openDroppedAnswer(), dependencies, {
      proof: { verified: false, reviewed: true },
    });
    return { outcome: outcomeOf(status, sent), status };
  };
}

/**
 * A phone that opens the link may not know the `zstd` of the browser that signed up, and could not read the page. Encodings
 * that the confirming client does not name are left out. A client without the field accepts every one (RFC 9110
 * section 12.5.3).
 */
function readableFor({ headers }: ReplayRequest['request'], held: HeldSignup): HeldSignup {
  const accepted = headers['accept-encoding'];
  if (accepted === undefined) return held;
  const names = new Set(encodingsIn(String(accepted)).map(nameOf));
  if (names.has('*')) return held;
  return withField(held, 'accept-encoding', (text) => {
    const encodings = encodingsIn(text);
    const known = encodings.filter((encoding) => names.has(nameOf(encoding)));
    return known.length === encodings.length ? text : known.join(', ') || 'identity';
  });
}

/**
 * SvelteKit answers its script with JSON. The browser that confirms gets the answer to a form without scripts, as
 * `Accept` asks for it.
 */
function acceptablePage({ headers }: ReplayRequest['request'], held: HeldSignup): HeldSignup {
  const { rawHeaders } = held.message;
  const isOfScript = rawHeaders.some((name, i) => i % 2 === 0 && name.toLowerCase() === SVELTEKIT_FIELD);
  return isOfScript && prefersHtml(headers) ? withField(held, 'accept', () => String(headers.accept)) : held;
}

/** The signup with another value for each header field of this name. */
function withField(held: HeldSignup, lowerCaseName: string, change: (value: string) => string): HeldSignup {
  const rawHeaders = held.message.rawHeaders.map((text, i, all) =>
    i % 2 === 1 && all[i - 1]?.toLowerCase() === lowerCaseName ? change(text) : text,
  );
  return { ...held, message: { ...held.message, rawHeaders } };
}

function encodingsIn(field: string): readonly string[] {
  return field.split(',').map((encoding) => encoding.trim());
}

function nameOf(encoding: string): string {
  const [name = ''] = encoding.split(';', 1);
  return name.trim().toLowerCase();
}

function outcomeOf(status: number | null, sent: boolean): ReplayOutcome {
  if (status !== null) return 'answered';
  return sent ? 'unanswered' : 'unreachable';
}

function send(
  held: HeldSignup,
  { request, response }: Pick<ReplayRequest, 'request' | 'response'>,
  { transport, settings, clock }: ReplayDependencies,
  {
    proof,
    rewriteAnswer,
  }: {
    readonly proof: Pick<AssertedRequest, 'verified' | 'reviewed'>;
    readonly rewriteAnswer?: (headers: readonly string[]) => string[];
  },
): Promise<Forwarded> {
  const { message, requestId } = held;
  const { verdict, email, degraded, peer } = readContext(held);
  const { method, body, target, rawHeaders } = message;
  const path = upstreamTarget(target)?.path ?? '/';
  const asserted = { requestId, method, path, email, body, ...proof, now: clock() };
  return transport.forward(request, response, {
    requestId,
    body,
    message: { method, target, rawHeaders, peer },
    headers: gateHeaders(asserted, verdict, { signer: settings.current.signer, degraded }),
    isSignup: true,
    outlivesClient: true,
    ...(rewriteAnswer && { rewriteAnswer }),
    // The page of the signup shows the problem and the next step.
    onProblem: () => {},
  });
}

/** `replayContext` sealed this object, in this process or an earlier one. */
export function readContext({ context }: HeldSignup): ReplayContext {
  return context as unknown as ReplayContext;
}
