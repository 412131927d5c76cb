import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExecutionContext } from 'ava';

export interface ReceivingApp {
  readonly url: string;
  /** Each signup that arrived, in order. */
  readonly received: readonly ReceivedSignup[];
}

export interface ReceivedSignup {
  /** By the gate. */
  readonly requestId: string;
  /** Whether the gate marked it. */
  readonly isDegraded: boolean;
  /** Empty: the form had none, or did not arrive whole. */
  readonly email: string;
}

export async function openReceivingApp(t: ExecutionContext): Promise<ReceivingApp> {
  const received: ReceivedSignup[] = [];
  const textOf = (headers: IncomingHttpHeaders, name: string) => String(headers[name] ?? '');
  const server = createServer(async (request, response) => {
    const { headers } = request;
    const chunks: Buffer[] = [];
    // A node that is killed cuts the form.
    const isWhole = await (async () => {
      for await (const chunk of request) chunks.push(chunk as Buffer);
      return true;
    })().catch(() => false);
    const form = new URLSearchParams(isWhole ? Buffer.concat(chunks).toString() : '');
    received.push({
      requestId: textOf(headers, 'x-gatekeeper-request-id'),
      isDegraded: textOf(headers, 'x-gatekeeper-degraded') === 'true',
      email: form.get('email') ?? '',
    });
    response.writeHead(201).end();
  }).listen(0, '127.0.0.1');
  // When this process was busy for five seconds, the server would end a connection with a request that it has not read yet.
  server.keepAliveTimeout = 60_000;
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}
