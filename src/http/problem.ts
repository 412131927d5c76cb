/**
 * Every problem a listener can answer with (RFC 9457). The codes are public API: never renamed, never reused.
 * The detail describes one case; the titles never change.
 */
export const PROBLEMS = {
  bad_request: { status: 400, title: 'The request is not valid HTTP.' },
  malformed_json: { status: 400, title: 'The body is not valid JSON.' },
  invalid_request: { status: 400, title: 'The request is not valid.' },
  missing_api_key: { status: 401, title: 'The API key is missing.' },
  invalid_api_key: { status: 401, title: 'The API key is not valid.' },
  signup_refused: { status: 403, title: 'This signup was refused.' },
  verification_required: { status: 403, title: 'This signup must be verified.' },
  wrong_code: { status: 403, title: 'The code is wrong.' },
  verification_locked: { status: 403, title: 'There were too many wrong codes.' },
  cross_site_request: { status: 403, title: 'The request came from another site.' },
  not_found: { status: 404, title: 'Not found.' },
  method_not_allowed: { status: 405, title: 'The method is not allowed here.' },
  request_timeout: { status: 408, title: 'The request took too long to arrive.' },
  verification_closed: { status: 410, title: 'The verification is closed.' },
  payload_too_large: { status: 413, title: 'The body is too large.' },
  unsupported_media_type: { status: 415, title: 'The media type is not supported.' },
  expectation_failed: { status: 417, title: 'The Expect header is not supported.' },
  idempotency_key_reused: { status: 422, title: 'The idempotency key was used with another body.' },
  rate_limited: { status: 429, title: 'Too many requests this minute.' },
  quota_exceeded: { status: 429, title: 'The quota of this month is used up.' },
  too_many_mails: { status: 429, title: 'Too many verification mails were requested.' },
  header_too_large: { status: 431, title: 'The head of the request is too large.' },
  internal_error: { status: 500, title: 'Internal error.' },
  bad_gateway: { status: 502, title: 'The application did not answer.' },
  overloaded: { status: 503, title: 'The server is overloaded.' },
  shutting_down: { status: 503, title: 'The server is shutting down.' },
  gateway_timeout: { status: 504, title: 'The application took too long to answer.' },
} as const satisfies Record<string, { readonly status: number; readonly title: string }>;

export type ProblemCode = keyof typeof PROBLEMS;

/** One invalid field: its JSON Pointer (RFC 6901) and the error. */
export interface FieldError {
  readonly pointer: string;
  readonly detail: string;
}

export interface ProblemFacts {
  readonly errors?: readonly FieldError[];
  /** Whole seconds to wait before the next try. */
  readonly retryAfterSeconds?: number;
  /** More header fields of the answer, as a flat list (name, value, name, value, …). */
  readonly headers?: readonly string[];
  /** More members of the document, such as `verification_url`. */
  readonly members?: Readonly<Record<string, string | number>>;
  readonly cause?: unknown;
}

/** An error answer. The code throws it, and the listener sends it. The message is the `detail`. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly code: ProblemCode;
  readonly facts: ProblemFacts;

  constructor(code: ProblemCode, detail: string, facts: ProblemFacts = {}) {
    super(detail, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = code;
    this.facts = facts;
  }

  get status(): number {
    return PROBLEMS[this.code].status;
  }
}

/** The answer to the sender after an internal failure. Only the log gets the cause. */
export function internalError(): ProblemError {
  return new ProblemError('internal_error', 'Internal error. Quote the request id when you report it.');
}

/** The problem document: no stack and no path. It repeats only field names of the request, in pointers. */
export function problemDocument(problem: ProblemError, requestId: string): string {
  const { errors, members } = problem.facts;
  return JSON.stringify({
    type: `urn:gatekeeper:problem:${problem.code}`,
    title: PROBLEMS[problem.code].title,
    status: problem.status,
    detail: problem.message,
    code: problem.code,
    request_id: requestId,
    ...(errors && { errors }),
    ...members,
  });
}

/** The header fields of the document, as a flat list (name, value, name, value, …). */
export function problemHeaders(problem: ProblemError): string[] {
  return ['Content-Type', 'application/problem+json', ...headersBesideType(problem)];
}

/** The header fields that an answer in another format needs too, such as `Retry-After`. */
export function headersBesideType({ facts }: ProblemError): string[] {
  const { retryAfterSeconds, headers = [] } = facts;
  return [...(retryAfterSeconds === undefined ? [] : ['Retry-After', String(retryAfterSeconds)]), ...headers];
}
