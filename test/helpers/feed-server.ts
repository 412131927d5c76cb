import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExecutionContext } from 'ava';

export interface FeedServer {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  /** Every request so far. */
  readonly requests: readonly IncomingMessage[];
}

/** A server on loopback that answers as told, and is gone when the test ends. */
export async function serveFeed(t: ExecutionContext, listener: RequestListener): Promise<FeedServer> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}
