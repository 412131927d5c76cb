import type { ProblemCode } from './api-types.generated.ts';

/** Why a call failed, besides the problem codes of the API. */
export type ClientErrorCode = 'connection_failed' | 'time_limit_exceeded' | 'unexpected_answer';

export interface ErrorFacts {
  /** The HTTP status of the answer. Null when no answer arrived. */
  readonly status?: number | null;
  /** Whole seconds that the server asked to wait; null when it did not ask. */
  readonly retryAfterSeconds?: number | null;
  readonly cause?: unknown;
}

/**
 * A call that got no usable answer. The message names the failure and the remedy. Use `code` for decisions in a
 * program.
 */
export class GatekeeperError extends Error {
  override readonly name: string = 'GatekeeperError';
  readonly code: ClientErrorCode | ProblemCode;
  readonly status: number | null;
  readonly retryAfterSeconds: number | null;

  constructor(code: ClientErrorCode | ProblemCode, message: string, facts: ErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = code;
    this.status = facts.status ?? null;
    this.retryAfterSeconds = facts.retryAfterSeconds ?? null;
  }
}
