import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ProblemError } from '../http/problem.ts';
import { problemReply, sendReply } from '../http/reply.ts';
import { LANGUAGES } from '../web/languages.ts';
import { negotiateLanguage } from '../web/negotiate-language.ts';
import { PAGE_POLICY } from '../web/page.ts';
import type { PagePlace } from './pages/verify-pages.ts';

/** Never stored, never framed, and the address, which is a secret, never told to another site. */
const OWN_ANSWER = [
  ...['Cache-Control', 'no-store', 'Vary', 'Accept, Accept-Language'],
  ...['X-Content-Type-Options', 'nosniff', 'Referrer-Policy', 'no-referrer'],
];

/** One request for a page of ours, and the way to answer it. */
export interface VerifyExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly publicUrl: string;
}

export function placeOf({ request, publicUrl }: VerifyExchange): PagePlace {
  return { language: negotiateLanguage(request.headers['accept-language'], LANGUAGES), publicUrl };
}

export interface PageAnswer {
  readonly status: number;
  readonly page: string;
  readonly retryAfterSeconds?: number;
  /** More header fields, name and value in turn. */
  readonly headers?: readonly string[];
}

export function sendPage(exchange: VerifyExchange, answer: PageAnswer): void {
  const { status, page, retryAfterSeconds, headers = [] } = answer;
  send(exchange, {
    status,
    headers: [
      ...['Content-Type', 'text/html; charset=utf-8', 'Content-Language', placeOf(exchange).language],
      ...['Content-Security-Policy', PAGE_POLICY, 'X-Frame-Options', 'DENY'],
      ...(retryAfterSeconds === undefined ? [] : ['Retry-After', String(retryAfterSeconds)]),
      ...headers,
    ],
    body: page,
  });
}

export function sendProblem(exchange: VerifyExchange, problem: ProblemError): void {
  send(exchange, problemReply(problem, exchange.requestId));
}

export function sendJson(exchange: VerifyExchange, status: number, content: object): void {
  send(exchange, { status, headers: ['Content-Type', 'application/json'], body: JSON.stringify(content) });
}

/** Back to the page itself, so that to load it again sends nothing again. */
export function sendSeeOther(exchange: VerifyExchange, location: string): void {
  send(exchange, { status: 303, headers: ['Location', location], body: '' });
}

function send(
  { request, response, requestId }: VerifyExchange,
  reply: Parameters<typeof sendReply>[2],
): void {
  const headers = [...reply.headers, ...OWN_ANSWER, 'X-Request-Id', requestId];
  sendReply(request, response, { ...reply, headers });
}
