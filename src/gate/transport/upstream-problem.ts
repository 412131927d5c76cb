import { ProblemError } from '../../http/problem.ts';

/** undici's code for an answer whose head is late. */
const LATE_ANSWER = 'UND_ERR_HEADERS_TIMEOUT';
/** Ten minutes by default: long enough for work that reports itself with 102 Processing. */
const MAX_RESPONSE_TIMEOUTS = 10;

/**
 * The client's answer when the upstream failed. It never says why the upstream failed or where it is; the log gets the
 * cause.
 */
export function upstreamProblem(error: Error): ProblemError {
  if (error instanceof ProblemError) return error;
  if (codeOf(error) === LATE_ANSWER) {
    return new ProblemError('gateway_timeout', 'The application took too long to answer.', { cause: error });
  }
  return new ProblemError('bad_gateway', 'The application cannot be reached, or broke off.', {
    cause: error,
  });
}

/**
 * undici waits anew after each interim answer, without an end.
 * @param interimSince The time of the first interim answer, on the clock of `performance`. Null before it.
 * @throws when interim answers have replaced the answer for too long.
 */
export function refuseLateAnswer(interimSince: number | null, responseTimeoutMs: number): void {
  const waitedMs = interimSince === null ? 0 : performance.now() - interimSince;
  if (waitedMs <= responseTimeoutMs * MAX_RESPONSE_TIMEOUTS) return;
  throw Object.assign(new Error('Only interim answers arrived, and no final answer.'), { code: LATE_ANSWER });
}

/** Whether the connection ended during the request. A late or unreadable answer is a different failure. */
export function isConnectionEnd(error: Error): boolean {
  return ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'ECONNABORTED'].includes(codeOf(error));
}

/**
 * When the certificate of the app is for another name, undici 7.30 fails the request but counts it as running, so the next
 * request would wait without an end. With OpenSSL's code in place of Node's, undici treats this error like any other.
 */
export function asOrdinaryError(error: NodeJS.ErrnoException): Error {
  if (error.code === 'ERR_TLS_CERT_ALTNAME_INVALID') error.code = 'HOSTNAME_MISMATCH';
  return error;
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
