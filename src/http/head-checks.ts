import type { IncomingMessage } from 'node:http';
import { ProblemError } from './problem.ts';

/**
 * An authority without user information: a name, an IPv4 address or a bracketed IPv6 address, with or without a port.
 */
const HOST = /^(?:\[[\da-f:.]+\]|[\w.~%!$&'()*+;=-]+)(?::\d{0,5})?$/i;

export function isHost(authority: string): boolean {
  return HOST.test(authority);
}

/**
 * Refuses requests that Node's parser accepts but other parsers read differently (measured on Node 20): two Host
 * fields, of which Node uses the first; invalid hosts; a transfer coding besides chunked, which Node would not decode;
 * HTTP/0.9 and 2.0 request lines; header lines after the 2,000th, which Node drops silently.
 */
export function findHeadProblem(request: IncomingMessage, maxHeaderLines: number): ProblemError | null {
  const { rawHeaders } = request;
  if (rawHeaders.length > maxHeaderLines * 2) {
    return new ProblemError('header_too_large', `A request may have at most ${maxHeaderLines} header lines.`);
  }
  if (request.httpVersion !== '1.1' && request.httpVersion !== '1.0') {
    return new ProblemError('bad_request', 'This server speaks HTTP/1.1.');
  }
  let host: string | null = null;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name?.length === 4 && name.toLowerCase() === 'host') {
      if (host !== null) return new ProblemError('bad_request', 'The request has more than one Host header.');
      host = rawHeaders[i + 1] ?? '';
    }
  }
  if (host === null) {
    if (request.httpVersion === '1.1')
      return new ProblemError('bad_request', 'The request has no Host header.');
  } else if (!isHost(host)) {
    return new ProblemError('bad_request', 'The Host header is invalid.');
  }
  if (request.url === '*' && request.method !== 'OPTIONS') {
    return new ProblemError('bad_request', 'Only OPTIONS accepts the target *.');
  }
  const coding = request.headers['transfer-encoding'];
  if (coding === undefined) return null;
  if (request.httpVersion === '1.0') {
    return new ProblemError('bad_request', 'HTTP/1.0 does not support Transfer-Encoding.');
  }
  return coding.toLowerCase() === 'chunked'
    ? null
    : new ProblemError('bad_request', 'The only supported transfer coding is chunked.');
}
