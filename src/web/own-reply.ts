import type { IncomingMessage } from 'node:http';
import type { Reply } from '../http/reply.ts';
import type { Language } from './languages.ts';
import { VARY_OF_PREFERENCE } from './prefers-html.ts';
import { readableAcross } from './same-site.ts';

/** A page and its Content Security Policy. */
export interface Page {
  readonly html: string;
  /** The value of `Content-Security-Policy`. */
  readonly policy: string;
}

/** The request fields of libraries that get answers of their own. */
const LIBRARY_FIELDS = 'Turbo-Frame, Next-Action, X-Inertia, X-SvelteKit-Action';

/**
 * Own answers depend only on the request fields that `Vary` names. URLs may be secrets, so browsers send no referrer.
 */
const OWN_HEADERS = [
  ...['Cache-Control', 'no-store', 'Vary', `Accept-Language, ${LIBRARY_FIELDS}, ${VARY_OF_PREFERENCE}`],
  ...['X-Content-Type-Options', 'nosniff', 'Referrer-Policy', 'no-referrer'],
];

/** The request that an own answer is for. */
export interface AnsweredRequest {
  readonly request: IncomingMessage;
  readonly requestId: string;
  /** The origins of front ends on other hosts, whose scripts may read the answer. */
  readonly origins: readonly string[];
}

/** An answer that Gatekeeper itself creates, with the common header fields. */
export function ownReply(reply: Reply, { request, requestId, origins }: AnsweredRequest): Reply {
  const readable = readableAcross(request.headers, origins);
  return { ...reply, headers: [...reply.headers, ...readable, ...OWN_HEADERS, 'X-Request-Id', requestId] };
}

export interface PageReplyFacts {
  readonly status: number;
  readonly page: Page;
  readonly language: Language;
  /** More header fields: name, value, name, value, … */
  readonly headers?: readonly string[];
}

/** An own answer that is a page. */
export function pageReply(facts: PageReplyFacts, answered: AnsweredRequest): Reply {
  const { status, page, language, headers = [] } = facts;
  const fields = [
    ...['Content-Type', 'text/html; charset=utf-8', 'Content-Language', language],
    ...['Content-Security-Policy', page.policy, 'X-Frame-Options', 'SAMEORIGIN'],
    ...headers,
  ];
  return ownReply({ status, headers: fields, body: page.html }, answered);
}
