import { ProblemError } from '../../http/problem.ts';

/**
 * What the client is told when the upstream failed: never why, and never where it is. The cause goes along for the log.
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

/** Whether the connection ended under the request, as opposed to an answer that was late or could not be read. */
export function isConnectionEnd(error: Error): boolean {
  return ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'ECONNABORTED'].includes(codeOf(error));
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}
