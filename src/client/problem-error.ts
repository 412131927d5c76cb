import type { FieldError, Problem, ProblemCode } from './api-types.generated.ts';
import { GatekeeperError } from './gatekeeper-error.ts';

/** A refusal of the API: its problem document (RFC 9457). `code` is the problem code; the message is the `detail`. */
export class ProblemError extends GatekeeperError {
  override readonly name: string = 'ProblemError';
  declare readonly code: ProblemCode;
  /** The request id, for questions to the operator. Null when the client itself refused the call. */
  readonly requestId: string | null;
  /** Every invalid field, by JSON Pointer. */
  readonly errors: readonly FieldError[];

  constructor(
    problem: Pick<Problem, 'code' | 'status' | 'detail' | 'errors'> & { readonly requestId: string | null },
    retryAfterSeconds: number | null,
  ) {
    super(problem.code, problem.detail, { status: problem.status, retryAfterSeconds });
    this.requestId = problem.requestId;
    this.errors = problem.errors ?? [];
  }
}

/** The same refusal that the server would send, made without a request. */
export function invalidRequest(errors: readonly FieldError[]): ProblemError {
  const detail = errors.map(({ pointer, detail }) => `${pointer} ${detail}`).join('; ');
  return new ProblemError({ code: 'invalid_request', status: 400, detail, errors, requestId: null }, null);
}
