import { ProblemError } from '../../http/problem.ts';

/**
 * The client's answer when the upstream failed. It never says why the upstream failed or where it is; the log gets the
 * cause.
 */
export function upstreamProblem(error: Error): ProblemError {
  if (error instanceof ProblemError) return error;
  if (codeOf(error) === 'UND_ERR_HEADERS_TIMEOUT') {
    return new ProblemError('gateway_timeout', 'The application took too long to answer.', { cause: error });
  }
  return new ProblemError('bad_gateway', 'The application cannot be reached, or broke off.', {
    cause: error,
  });
}

/** Whether the connection ended during the request. A late or unreadable answer is a different failure. */
export function isConnectionEnd(error: Error): boolean {
  return ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'ECONNABORTED'].includes(codeOf(error));
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** All connections are in use, and no request may wait, or none became free in time. */
export function overloaded(): ProblemError {
  return new ProblemError('overloaded', 'The application has too much to do right now.', {
    retryAfterSeconds: 1,
  });
}

export function shuttingDown(): ProblemError {
  return new ProblemError('shutting_down', 'The server is shutting down; ask again.', {
    retryAfterSeconds: 1,
  });
}
