import type { ExecutionContext } from 'ava';
import type { Answer } from './api-server.ts';

/** The answer is this problem document, with the id of its request. */
export function isProblem(t: ExecutionContext, answer: Answer, status: number, code: string): void {
  t.is(answer.status, status);
  t.is(answer.headers.get('content-type'), 'application/problem+json');
  t.like(answer.json, { type: `urn:gatekeeper:problem:${code}`, status, code });
  t.is(typeof answer.json.title, 'string');
  t.is(typeof answer.json.detail, 'string');
  t.is(answer.json.request_id, answer.headers.get('x-request-id'));
}
