import type { RequestListener } from 'node:http';
import type { ExecutionContext } from 'ava';
import type { ServerConfig } from '../../src/config/config.ts';
import { openListener } from '../../src/http/listener.ts';
import { ProblemError } from '../../src/http/problem.ts';
import { readBody } from '../../src/http/read-body.ts';
import { problemReply, sendReply } from '../../src/http/reply.ts';
import { LIMITS } from './limits.ts';

export const BODY_LIMIT_BYTES = 1_000;

/** Reads the body and returns its length; `/early` answers without reading it. */
function counting(limits: ServerConfig): RequestListener {
  return (request, response) => {
    if (request.url === '/early') {
      sendReply(request, response, problemReply(new ProblemError('not_found', 'Nothing.'), 'id'));
      return;
    }
    readBody(request, response, {
      limitBytes: BODY_LIMIT_BYTES,
      timeoutMs: limits.body_timeout,
      minBytesPerSecond: limits.min_body_rate,
    }).then(
      (body) => sendReply(request, response, { status: 200, headers: [], body: String(body.length) }),
      (error: unknown) => {
        if (error instanceof ProblemError) sendReply(request, response, problemReply(error, 'id'));
      },
    );
  };
}

export async function open(
  t: ExecutionContext,
  limits: Partial<ServerConfig> = {},
  handler?: RequestListener,
) {
  const all = { ...LIMITS, ...limits };
  const listener = await openListener({
    listen: { host: '127.0.0.1', port: 0 },
    limits: all,
    handler: handler ?? counting(all),
  });
  t.teardown(() => listener.close());
  return listener;
}
export const post = (body: string, more = '') =>
  `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n${more}\r\n${body}`;
