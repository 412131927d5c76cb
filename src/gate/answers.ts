import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Action, RouteConfig } from '../config/config.ts';
import type { Decision } from '../decisions/decision.ts';
import { type ProblemCode, ProblemError } from '../http/problem.ts';
import { problemReply, type Reply } from '../http/reply.ts';
import { readerLanguage } from '../web/languages.ts';
import { ownReply, type PageReplyFacts, pageReply } from '../web/own-reply.ts';
import { prefersHtml } from '../web/prefers-html.ts';
import { unreadPage } from './pages/unread-page.ts';
import type { GateSettings } from './settings.ts';

export interface RequestRef {
  readonly request: IncomingMessage;
  readonly requestId: string;
}

export function problemAnswer(problem: ProblemError, { requestId }: RequestRef): Reply {
  return ownReply(problemReply(problem, requestId), requestId);
}

/** Why a body is refused: for these problems a person gets a page that says how to correct the form. */
const BODY_PROBLEMS: ReadonlySet<ProblemCode> = new Set([
  'malformed_json',
  'invalid_request',
  'payload_too_large',
  'unsupported_media_type',
]);

/**
 * The answer to a request that was not read. A person gets a page if the body was wrong; other clients get a problem
 * document.
 */
export function unreadAnswer(problem: ProblemError, asked: RequestRef): Reply {
  const { request, requestId } = asked;
  const answer = problemAnswer(problem, asked);
  if (!BODY_PROBLEMS.has(problem.code) || !prefersHtml(request.headers.accept)) return answer;
  const language = readerLanguage(request.headers['accept-language']);
  const page = unreadPage(problem.code === 'payload_too_large' ? 'tooLarge' : 'unclear', {
    language,
    requestId,
  });
  return { ...pageAnswer({ status: problem.status, page, language }, asked), close: answer.close ?? false };
}

/**
 * The refusal of a signup: a page for people, a problem document for programs. Neither says why the signup is refused.
 */
export function refusalAnswer(asked: RequestRef, blockPage: ReturnType<GateSettings['blockPageOf']>): Reply {
  const { request, requestId } = asked;
  if (!prefersHtml(request.headers.accept)) {
    return problemAnswer(
      new ProblemError('signup_refused', 'Quote the request id to the operators if this is a mistake.'),
      asked,
    );
  }
  const language = readerLanguage(request.headers['accept-language']);
  const page = blockPage({ language, requestId });
  return pageAnswer({ status: 403, page, language }, asked);
}

export function pageAnswer(facts: PageReplyFacts, { requestId }: RequestRef): Reply {
  return pageReply(facts, requestId);
}

export function seeOtherAnswer(url: string, { requestId }: RequestRef): Reply {
  return ownReply({ status: 303, headers: ['Location', url], body: '' }, requestId);
}

export interface RedirectFacts {
  readonly asked: RequestRef;
  readonly verify: Extract<RouteConfig['verify'], { by: 'redirect' }>;
  readonly decision: Decision<Action>;
  readonly settings: GateSettings;
  /** The email as sent, trimmed; null when there is none. */
  readonly email: string | null;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Redirects the sender to the verification page. A signed token in the query identifies the signup. */
export function redirectAnswer({ asked, verify, decision, settings, email, now }: RedirectFacts): Reply {
  const issuedAt = Math.floor(now / 1_000);
  const expiresAt = issuedAt + Math.floor(settings.redirectLifetimeMs / 1_000);
  const url = new URL(verify.url);
  const token = settings.signer.sign({
    iss: 'gatekeeper',
    // The sender can read this token in the address bar. Without `method` and `path`, and with this `aud`, an app does
    // not accept it as an assertion.
    aud: verify.url,
    jti: asked.requestId,
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
  if (prefersHtml(asked.request.headers.accept)) {
    return seeOtherAnswer(url.href, asked);
  }
  const problem = new ProblemError(
    'verification_required',
    'Open verification_url in a browser to go on with this signup.',
    { members: { verification_url: url.href, expires_at: new Date(expiresAt * 1_000).toISOString() } },
  );
  return problemAnswer(problem, asked);
}
