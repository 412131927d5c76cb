import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExecutionContext } from 'ava';

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** From `performance.now()`. */
  readonly at: number;
}

export interface FaultServer {
  readonly url: string;
  readonly requests: readonly ReceivedRequest[];
}

export type Reaction = (response: ServerResponse, request: IncomingMessage) => void;

/** A server that reacts to its first request as the first entry says, and so on; the last entry is repeated. */
export async function openFaultServer(
  t: ExecutionContext,
  reactions: readonly Reaction[],
): Promise<FaultServer> {
  const requests: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    const at = performance.now();
    let body = '';
    try {
      for await (const chunk of request.setEncoding('utf8')) body += chunk;
    } catch {
      return; // The client left before its request was complete.
    }
    const { method = '', url: path = '', headers } = request;
    requests.push({ method, path, headers, body, at });
    reactions[Math.min(requests.length, reactions.length) - 1]?.(response, request);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

export const SCORE = {
  trust_score: 91,
  risk_level: 'low',
  reasons: [],
  request_id: '0d4ff2c0-0000-7000-8000-000000000000',
  processed_at: '2026-11-21T10:30:00.123Z',
};

export const json =
  (status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Reaction =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof value === 'string' ? value : JSON.stringify(value));
  };

export const problem = (
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {},
): Reaction =>
  json(status, { code, status, detail: `a detail of ${code}`, request_id: SCORE.request_id }, headers);

export const reset: Reaction = (_response, request) => void request.socket.resetAndDestroy();
export const hang: Reaction = () => {};
