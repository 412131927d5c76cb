import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { GateServerOptions } from './gate-server.ts';

/** A request as the app behind the gate got it. */
export interface Arrived {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
}

export async function openUpstream(app?: GateServerOptions['app']) {
  const requests: Arrived[] = [];
  const seen = { requests, connections: 0 };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      // One that was broken off has not arrived.
      return;
    }
    requests.push({
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      rawHeaders: request.rawHeaders,
      body: Buffer.concat(chunks),
    });
    if (app) app(request, response);
    else response.writeHead(201, { 'Content-Type': 'text/plain' }).end('welcome');
  });
  // When this process was busy for five seconds, the server would end a connection with a request that it has not read yet.
  server.keepAliveTimeout = 60_000;
  server.on('connection', () => {
    seen.connections++;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    seen,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
