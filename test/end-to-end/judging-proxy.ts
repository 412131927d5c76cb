import { Agent, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import Router from '@koa/router';
import type { ExecutionContext } from 'ava';
import httpProxy from 'http-proxy';
import Koa from 'koa';
import bodyParser from 'koa-bodyparser';

/**
 * The yardstick: a gate as one writes it in an hour. Koa routes read the body and tell the app which email they judged in
 * `X-Judged-Email`; http-proxy carries everything on.
 *
 * @returns its port.
 */
export async function openJudgingProxy(t: ExecutionContext, upstreamPort: number): Promise<number> {
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
  const router = new Router();
  const judge = (context: Koa.Context) => {
    const { body, rawBody } = context.request as { readonly body?: unknown; readonly rawBody?: string };
    const email = (body as { readonly email?: unknown } | undefined)?.email;
    if (typeof email === 'string') context.req.headers['x-judged-email'] = encodeURIComponent(email);
    context.respond = false;
    if (rawBody === undefined) {
      proxy.web(context.req, context.res);
      return;
    }
    context.req.headers['content-length'] = String(Buffer.byteLength(rawBody));
    proxy.web(context.req, context.res, { buffer: Readable.from([Buffer.from(rawBody)]) });
  };
  for (const path of ['/signup', '/join', '/signup.php', '/join.php']) router.post(path, bodyParser(), judge);
  for (const path of ['/account', '/account.php']) router.put(path, bodyParser(), judge);
  app.use(router.routes());
  app.use((context) => {
    context.respond = false;
    proxy.web(context.req, context.res);
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
