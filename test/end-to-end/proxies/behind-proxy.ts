import { hash } from 'node:crypto';
import { once } from 'node:events';
import { type Agent, createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExecutionContext } from 'ava';
import { type GateServer, openGateServer } from '../../gate/gate-server.ts';
import { route } from '../../helpers/routes.ts';
import {
  type ProxyExample,
  type ProxyOptions,
  type RunningProxy,
  startProxy,
  TOKEN,
} from './proxy-programs.ts';

/** A request as the app received it. */
export interface ArrivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** RFC 6455 section 4.2.2; HAProxy checks the answer to the key. */
const WEBSOCKET_GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** An app that remembers its requests. The head of its answer to `/long-head` is larger than nginx reads. */
export async function openRememberingApp(t: ExecutionContext) {
  const requests: ArrivedRequest[] = [];
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    try {
      for await (const piece of request) pieces.push(piece as Buffer);
    } catch {
      // One that was broken off has not arrived.
      return;
    }
    const { method = '', url = '', headers } = request;
    requests.push({ method, url, headers, body: Buffer.concat(pieces) });
    response.setHeader('X-App', 'yes');
    if (url === '/long-head') response.setHeader('X-Long', 'x'.repeat(10_000));
    response.end('welcome');
  });
  server.on('upgrade', ({ headers }, socket) => {
    socket.on('error', () => socket.destroy());
    const accept = hash('sha1', `${headers['sec-websocket-key']}${WEBSOCKET_GUID}`, 'base64');
    const fields = `Connection: Upgrade\r\nUpgrade: ${headers.upgrade}\r\nSec-WebSocket-Accept: ${accept}`;
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${fields}\r\n\r\n`);
    socket.pipe(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { requests, port, url: `http://127.0.0.1:${port}` };
}

export interface ProxiedGate {
  readonly app: Awaited<ReturnType<typeof openRememberingApp>>;
  readonly gate: GateServer;
  readonly proxy: RunningProxy;
}

/** The app, the gate before it and the proxy before both. `high@…` is refused, any other email passes. */
export async function openProxiedGate(
  t: ExecutionContext,
  example: ProxyExample,
  changes: Partial<ProxyOptions> = {},
): Promise<ProxiedGate> {
  const app = await openRememberingApp(t);
  const gate = await openGateServer(t, {
    upstreamUrl: app.url,
    routes: [route('/signup', { methods: null })],
    proxy: { trusted_proxies: ['127.0.0.1'], forward_auth: example.asksForChecks ? TOKEN : null },
  });
  const proxy = await startProxy(t, example, { gate: gate.port, app: app.port, ...changes });
  return { app, gate, proxy };
}

export interface Sent {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** The address that the client has. */
  readonly from?: string;
  /** Left out: a connection for this request alone. */
  readonly agent?: Agent;
}

export interface Received {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Sends the path as it is; `fetch` would change it. */
export function send(port: number, sent: Sent): Promise<Received> {
  const { path = '/signup', method = 'POST', headers = {}, body = '', from = '127.0.0.1' } = sent;
  const { agent = false } = sent;
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { host: '127.0.0.1', port, path, method, headers, localAddress: from, agent },
      async (response) => {
        let text = '';
        for await (const piece of response.setEncoding('utf8')) text += piece;
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text });
      },
    );
    request.on('error', reject);
    if (headers.expect === undefined) request.end(body);
    else request.once('continue', () => request.end(body));
  });
}

export const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
export const emailOf = (localPart: string) => `email=${localPart}%40company.example`;
