import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Action, RouteConfig } from '../config/config.ts';
import type { Decision } from '../decisions/judge-attempts.ts';
import { headersBesideType, type ProblemCode, ProblemError } from '../http/problem.ts';
import { referenceOf } from '../http/reference.ts';
import { problemReply, type Reply } from '../http/reply.ts';
import { readerLanguage } from '../web/languages.ts';
import { errorForLibrary, isInTurboFrame, pageForTurbo, redirectForLibrary } from '../web/library-answers.ts';
import { type AnsweredRequest, ownReply, type PageReplyFacts, pageReply } from '../web/own-reply.ts';
import { prefersHtml } from '../web/prefers-html.ts';
import { type CorrectionOffer, type PageFacts, textsOf } from './pages/plain-page.ts';
import { type UnreadReason, unreadPage } from './pages/unread-page.ts';
import type { GateSettings } from './settings.ts';

export interface RequestRef {
  readonly request: IncomingMessage;
  readonly requestId: string;
}

/** The settings of all answers to visitors. */
export interface PageSettings {
  readonly settings: Pick<GateSettings, 'site' | 'publicUrl' | 'origins'>;
}

function pageFactsOf({ site, publicUrl }: PageSettings['settings']) {
  return { site, publicUrl };
}

const REFERENCE_HEADER = 'Gatekeeper-Reference';

/** The answer about a decision, with the short reference by which support finds it. */
export function referred(answer: Reply, { requestId }: RequestRef): Reply {
  const reference = referenceOf(requestId);
  if (reference === null) return answer;
  return { ...answer, headers: [...answer.headers, REFERENCE_HEADER, reference] };
}

export function problemAnswer(problem: ProblemError, ref: RequestRef & PageSettings): Reply {
  return ownReply(problemReply(problem, ref.requestId), answeredRequest(ref));
}

function answeredRequest({ request, requestId, settings }: RequestRef & PageSettings): AnsweredRequest {
  return { request, requestId, origins: settings.origins };
}

/** The problems for which a person gets a page with the next step. */
const UNREAD_REASONS: { readonly [Code in ProblemCode]?: UnreadReason } = {
  malformed_json: 'unclear',
  invalid_request: 'unclear',
  unsupported_media_type: 'unclear',
  payload_too_large: 'tooLarge',
  request_timeout: 'tooSlow',
  overloaded: 'busy',
  shutting_down: 'busy',
};

/** The answer to a signup that was not read: a page for a person, a problem document for other clients. */
export function unreadAnswer(problem: ProblemError, ref: RequestRef & PageSettings): Reply {
  const { request, requestId, settings } = ref;
  const answer = problemAnswer(problem, ref);
  const reason = UNREAD_REASONS[problem.code];
  if (!reason) return answer;
  const language = readerLanguage(request.headers['accept-language']);
  const pageFacts = { ...pageFactsOf(settings), language, requestId, reference: null };
  const { status } = problem;
  const shown = prefersHtml(request.headers)
    ? pageAnswer({ status, page: unreadPage(reason, pageFacts), language }, ref)
    : errorAnswer({ status, of: 'unreadPage', pageFacts }, ref);
  if (!shown) return answer;
  return {
    ...shown,
    headers: [...shown.headers, ...headersBesideType(problem)],
    close: answer.close ?? false,
  };
}

/**
 * The refusal of a signup: a page for people, a problem document for programs. Both do not give the reason.
 */
export function refusalAnswer(
  ref: RequestRef & PageSettings,
  blockPage: ReturnType<GateSettings['blockPageOf']>,
  offer: CorrectionOffer | null = null,
): Reply {
  const { request, requestId, settings } = ref;
  const reference = referenceOf(requestId);
  const language = readerLanguage(request.headers['accept-language']);
  const pageFacts = { ...pageFactsOf(settings), language, requestId, reference };
  if (!prefersHtml(request.headers)) {
    const shown = errorAnswer({ status: 403, of: 'blockPage', pageFacts }, ref);
    if (shown) return referred(shown, ref);
    const named = reference === null ? '' : ` or the reference ${reference}`;
    const detail = `Quote the request id${named} to the operators if this is a mistake.`;
    return referred(problemAnswer(new ProblemError('signup_refused', detail), ref), ref);
  }
  const page = blockPage({ ...pageFacts, offer });
  return referred(pageAnswer({ status: 403, page, language }, ref), ref);
}

interface ErrorFacts {
  readonly status: number;
  /** The page whose heading tells the error. */
  readonly of: 'blockPage' | 'unreadPage';
  readonly pageFacts: PageFacts;
}

/** The error for the person whose form a library sends by script; null for other clients. */
function errorAnswer({ status, of, pageFacts }: ErrorFacts, ref: RequestRef & PageSettings): Reply | null {
  const { heading } = textsOf(pageFacts)[of];
  const message = `${heading} (${pageFacts.reference ?? ref.requestId})`;
  const reply = errorForLibrary(ref.request.headers, { status, message });
  return reply && ownReply(reply, answeredRequest(ref));
}

/** Scripts load pages too, as htmx does. */
export function pageAnswer(facts: PageReplyFacts, ref: RequestRef & PageSettings): Reply {
  const page = isInTurboFrame(ref.request.headers) ? pageForTurbo(facts.page) : facts.page;
  return pageReply({ ...facts, page }, answeredRequest(ref));
}

/** Leads a person to a page of the verification. Null: the client is a program. */
export function leadingAnswer(url: string, ref: RequestRef & PageSettings): Reply | null {
  const { request } = ref;
  const page = prefersHtml(request.headers) ? { status: 303, headers: ['Location', url], body: '' } : null;
  const reply = redirectForLibrary(request, url) ?? page;
  return reply && ownReply(reply, answeredRequest(ref));
}

export interface RedirectFacts {
  readonly ref: RequestRef;
  readonly verify: Extract<RouteConfig['verify'], { by: 'redirect' }>;
  readonly decision: Decision<Action>;
  readonly settings: GateSettings;
  /** The email as sent, trimmed; null when the email is missing. */
  readonly email: string | null;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Redirects the sender to the verification page. A signed token in the query identifies the signup. */
export function redirectAnswer({ ref, verify, decision, settings, email, now }: RedirectFacts): Reply {
  const issuedAt = Math.floor(now / 1_000);
  const expiresAt = issuedAt + Math.floor(settings.redirectLifetimeMs / 1_000);
  const url = new URL(verify.url);
  const token = settings.signer.sign({
    iss: 'gatekeeper',
    // The sender can read this token in the address bar. Without `method` and `path`, and with this `aud`, an app does
    // not accept it as an assertion.
    aud: verify.url,
    jti: ref.requestId,
    iat: issuedAt,
    exp: expiresAt,
    score: decision.score?.trust ?? null,
    risk_level: decision.score?.riskLevel ?? null,
    action: decision.action,
    route: decision.judgement.attempt.route,
    email_sha256: email === null ? null : hash('sha256', email),
    return_to: settings.publicUrl,
  });
  url.searchParams.set(verify.parameter, token);
  const leading = leadingAnswer(url.href, { ...ref, settings });
  if (leading) return referred(leading, ref);
  const problem = new ProblemError(
    'verification_required',
    'Open verification_url in a browser to continue this signup.',
    { members: { verification_url: url.href, expires_at: new Date(expiresAt * 1_000).toISOString() } },
  );
  return referred(problemAnswer(problem, { ...ref, settings }), ref);
}
