import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** Takes over connections that change their protocol. */
export interface Upgrades {
  /** Whether this WebSocket request may be upgraded. If not, it is served as an ordinary request. */
  accepts(request: IncomingMessage): boolean;
  join(request: IncomingMessage, socket: Socket, head: Buffer): void;
}

/** Whether a request asks for a WebSocket (RFC 6455 section 4.1), not for h2c or another protocol. */
export function asksForWebSocket(request: IncomingMessage): boolean {
  const { method, httpVersion, headers } = request;
  return (
    method === 'GET' &&
    httpVersion === '1.1' &&
    headers.upgrade?.toLowerCase() === 'websocket' &&
    !hasBody(request)
  );
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;
}

/** Since Node 26, `request` streams the body of a request for another protocol. Before, the body begins in `head`. */
const STREAMS_BODY = Number.parseInt(process.versions.node, 10) >= 26;

/** Whether a request for another protocol has a body that `asOrdinaryRequest` cannot put back. */
export function hasSeparateBody(request: IncomingMessage): boolean {
  return STREAMS_BODY && request.headers.upgrade !== undefined && hasBody(request);
}

/**
 * A server may ignore a request to upgrade (RFC 9110 section 7.8): Java's client asks for h2c on every first request.
 * Node has already stopped reading, so the head is put back onto the connection without the upgrade fields and is read
 * again.
 */
export function asOrdinaryRequest(
  request: IncomingMessage,
  { socket, head, readRequests }: { socket: Socket; head: Buffer; readRequests: (socket: Socket) => void },
): void {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`];
  const { rawHeaders } = request;
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    const value = rawHeaders[i + 1] ?? '';
    const lowerCase = name.toLowerCase();
    if (lowerCase === 'upgrade' || lowerCase === 'http2-settings') continue;
    lines.push(`${name}: ${lowerCase === 'connection' ? withoutUpgrade(value) : value}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  readRequests(socket);
}

function withoutUpgrade(connection: string): string {
  return connection
    .split(',')
    .filter((option) => !/^\s*(?:upgrade|http2-settings)\s*$/i.test(option))
    .join(',');
}
