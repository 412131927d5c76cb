import { Agent, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { ExecutionContext } from 'ava';
import httpProxy from 'http-proxy';
import Koa from 'koa';
import bodyParser from 'koa-bodyparser';

/**
 * The yardstick: a gate for GraphQL as one writes it in an hour. It judges what names the mutation, tells the app which
 * email it judged in `X-Judged-Email`, and http-proxy carries everything on.
 *
 * @returns its port.
 */
export async function openJudgingGraphqlProxy(t: ExecutionContext, upstreamPort: number): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  const proxy = httpProxy.createProxyServer({
    target: `http://127.0.0.1:${upstreamPort}`,
    agent,
    proxyTimeout: 2_000,
  });
  proxy.on('error', (_error, _request, response) => {
    if ('writeHead' in response && !response.headersSent) response.writeHead(502);
    response.end();
  });
  const app = new Koa({ env: 'production' });
  app.silent = true;
  app.use(bodyParser({ enableTypes: ['json', 'form'], onerror: () => {} }));
  app.use((context) => {
    const { body, rawBody } = context.request as { readonly body?: unknown; readonly rawBody?: string };
    const { query, variables } = (body ?? {}) as {
      query?: unknown;
      variables?: { email?: unknown; input?: { email?: unknown } };
    };
    if (/\b(?:signUp|register)\b/.test(String(query))) {
      const email = variables?.input?.email ?? variables?.email;
      if (typeof email === 'string') context.req.headers['x-judged-email'] = encodeURIComponent(email);
    }
    context.respond = false;
    if (rawBody === undefined) return proxy.web(context.req, context.res);
    context.req.headers['content-length'] = String(Buffer.byteLength(rawBody));
    proxy.web(context.req, context.res, { buffer: Readable.from([Buffer.from(rawBody)]) });
  });
  const server = createServer(app.callback());
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
    agent.destroy();
  });
  return (server.address() as AddressInfo).port;
}
