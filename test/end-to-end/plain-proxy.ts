import { Agent, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExecutionContext } from 'ava';
import httpProxy from 'http-proxy';
import Koa from 'koa';

export interface PlainProxy {
  readonly port: number;
  /** Targets of the requests that the app saw since the last call. */
  takeTargets(): string[];
}

/**
 * The yardstick: what one writes in ten minutes, a Koa app that hands everything on to http-proxy.
 * @param timeoutMs Of an answer. Short for requests that the app does not answer.
 */
export async function openPlainProxy(
  t: ExecutionContext,
  upstreamPort: number,
  { timeoutMs = 500 }: { readonly timeoutMs?: number } = {},
): Promise<PlainProxy> {
  const agent = new Agent({ keepAlive: true });
  const proxy = httpProxy.createProxyServer({
    target: `http://127.0.0.1:${upstreamPort}`,
    agent,
    proxyTimeout: timeoutMs,
  });
  proxy.on('error', (_error, _request, response) => {
    if ('writeHead' in response && !response.headersSent) response.writeHead(502);
    response.end();
  });
  const targets: string[] = [];
  const app = new Koa({ env: 'production' });
  app.silent = true;
  app.use((context) => {
    targets.push(context.req.url ?? '');
    context.respond = false;
    // It throws later, where nobody can catch, on a Trailer without chunks: left out, or the process would end.
    delete context.req.headers.trailer;
    proxy.web(context.req, context.res);
  });
  const server = createServer(app.callback());
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
    agent.destroy();
  });
  return { port: (server.address() as AddressInfo).port, takeTargets: () => targets.splice(0) };
}
