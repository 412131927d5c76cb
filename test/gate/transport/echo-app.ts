import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ExecutionContext } from 'ava';

const HANDSHAKE = [
  ...['Host: app.example', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'],
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
];
export const ask = (target = '/ws', more: readonly string[] = []) =>
  `GET ${target} HTTP/1.1\r\n${[...HANDSHAKE, ...more].join('\r\n')}\r\n\r\n`;
export const ACCEPT =
  'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n';

interface EchoApp {
  readonly port: number;
  readonly requests: readonly IncomingMessage[];
  readonly open: ReadonlySet<Duplex>;
}

/** An app that accepts every WebSocket, returns its bytes, and answers every other request. */
export async function openEchoApp(t: ExecutionContext): Promise<EchoApp> {
  const requests: IncomingMessage[] = [];
  const open = new Set<Duplex>();
  const server = createServer((request, response) => {
    requests.push(request);
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () =>
      response.end(`ordinary ${request.headers.upgrade} ${request.headers.connection} ${body}`),
    );
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    requests.push(request);
    open.add(socket);
    socket.on('close', () => open.delete(socket)).on('error', () => socket.destroy());
    socket.write(`${ACCEPT}X-Hop: 1\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\n\r\n`);
    socket.pipe(socket);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    for (const socket of open) socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, requests, open };
}

/** A client that has sent its handshake; `text` grows with the received bytes. */
export function openClient(t: ExecutionContext, port: number, bytes: string | Buffer) {
  const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
  const client = { socket, text: '', ended: false };
  socket.on('data', (chunk) => {
    client.text += chunk.toString('latin1');
  });
  socket
    .on('error', () => {})
    .on('close', () => {
      client.ended = true;
    });
  t.teardown(() => socket.destroy());
  return client;
}

export const all = () => true;
