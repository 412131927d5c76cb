import type { ServerResponse } from 'node:http';
import type { ProblemError } from '../http/problem.ts';
import { problemReply, type Reply, sendReply } from '../http/reply.ts';
import { readerLanguage } from '../web/languages.ts';
import { type AnsweredRequest, ownReply, type Page, pageReply } from '../web/own-reply.ts';
import { readableAcross } from '../web/same-site.ts';
import type { Site } from '../web/site.ts';
import type { PagePlace } from './pages/page-parts.tsx';

/** One request for a verification page, and its response. */
export interface PageRequest extends AnsweredRequest {
  readonly response: ServerResponse;
  readonly publicUrl: string;
  readonly site: Site;
}

export function placeOf({ request, publicUrl, site }: PageRequest): PagePlace {
  return { language: readerLanguage(request.headers['accept-language']), publicUrl, site };
}

/** The URL of the page, as `Location` of the held signup had it. */
export function urlOf({ request, publicUrl }: PageRequest): string {
  return `${publicUrl}${new URL(request.url ?? '/', publicUrl).pathname}`;
}

export interface PageAnswer {
  readonly status: number;
  readonly page: Page;
  readonly retryAfterSeconds?: number;
  /** More header fields: name, value, name, value, … */
  readonly headers?: readonly string[];
}

export function sendPage(pageRequest: PageRequest, answer: PageAnswer): void {
  const { status, page, retryAfterSeconds, headers = [] } = answer;
  const { request, response } = pageRequest;
  const retryAfter = retryAfterSeconds === undefined ? [] : ['Retry-After', String(retryAfterSeconds)];
  const facts = {
    status,
    page,
    language: placeOf(pageRequest).language,
    headers: [...retryAfter, ...headers],
  };
  sendReply(request, response, pageReply(facts, pageRequest));
}

export function sendProblem(pageRequest: PageRequest, problem: ProblemError): void {
  send(pageRequest, problemReply(problem, pageRequest.requestId));
}

export function sendJson(pageRequest: PageRequest, status: number, content: object): void {
  send(pageRequest, { status, headers: ['Content-Type', 'application/json'], body: JSON.stringify(content) });
}

/** Redirects to the page itself, so that a reload does not send the form again. */
export function sendSeeOther(pageRequest: PageRequest, location: string): void {
  send(pageRequest, { status: 303, headers: ['Location', location], body: '' });
}

/**
 * The browser repeats its POST, with the body, at another path of this site. `Referrer-Policy: no-referrer` would also
 * apply to that request, and the CSRF check of an app refuses it without `Origin` and `Referer`.
 */
export function sendTemporaryRedirect({ request, response, requestId }: PageRequest, location: string): void {
  const headers = ['Location', location, 'Cache-Control', 'no-store', 'X-Request-Id', requestId];
  sendReply(request, response, { status: 307, headers, body: '' });
}

function send(pageRequest: PageRequest, reply: Reply): void {
  sendReply(pageRequest.request, pageRequest.response, ownReply(reply, pageRequest));
}

/** A script of another origin asks with OPTIONS before it sends JSON. */
export function sendOptions({ request, response, origins }: PageRequest, methods: string): void {
  const preflight = ['Access-Control-Allow-Methods', 'POST', 'Access-Control-Allow-Headers', 'Content-Type'];
  const readable = readableAcross(request.headers, origins);
  const headers = ['Allow', methods, ...readable, ...(readable.length > 2 ? preflight : [])];
  sendReply(request, response, { status: 204, headers, body: null });
}
