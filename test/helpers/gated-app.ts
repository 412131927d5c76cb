import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExecutionContext } from 'ava';
import type { ProxyConfig } from '../../src/config/config.ts';

/**
 * An app that answers every request with `from the app`. Returns its port.
 *
 * @param onRequest sees each request before its body.
 */
export async function openGatedApp(
  t: ExecutionContext,
  onRequest: (request: IncomingMessage) => void = () => {},
): Promise<number> {
  const app = createServer((request, response) => {
    onRequest(request);
    request.resume().on('end', () => response.end('from the app'));
  }).listen(0, '127.0.0.1');
  // When this process was busy for five seconds, the server would end a connection with a request that it has not read yet.
  app.keepAliveTimeout = 60_000;
  await once(app, 'listening');
  t.teardown(() => {
    app.closeAllConnections();
    app.close();
  });
  return (app.address() as AddressInfo).port;
}

/** `proxy` of a gate in front of the app at this port. */
export const proxyTo = (port: number, more: Partial<ProxyConfig>): ProxyConfig => ({
  listen: '127.0.0.1:0',
  upstream: `http://127.0.0.1:${port}`,
  public_url: null,
  trusted_proxies: [],
  origins: [],
  client_ip_header: 'x-forwarded-for',
  timeouts: { connect: 5_000, response: 60_000 },
  tls: null,
  proxy_protocol: false,
  forward_auth: null,
  max_upstream_connections: 8,
  watch: true,
  routes: [],
  ...more,
});
