import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Router from '@koa/router';
import Koa from 'koa';
import bodyParser from 'koa-bodyparser';
import { judgeSignup } from '../../../src/library/koa.ts';
import { failIfAsked, sha256 } from './framework-app.ts';
import { describeMiddleware } from './middleware.contract.ts';

describeMiddleware({
  name: 'Koa',
  parsers: ['before', 'after', 'none'],
  async open(t, { gatekeeper, options, parser, handle }) {
    const app = new Koa();
    app.silent = true;
    const router = new Router();
    if (parser === 'before') app.use(bodyParser());
    router.use(judgeSignup(gatekeeper, options));
    if (parser === 'after') router.use(bodyParser());
    router.all('/signup', async (context) => {
      failIfAsked(context.headers['x-throw']);
      const isRead = parser === 'none' && context.headers['x-ignore'] === undefined;
      const pieces: Buffer[] = [];
      if (isRead) for await (const piece of context.req) pieces.push(piece as Buffer);
      const { email } = (context.request.body ?? {}) as { email?: unknown };
      const decision = context.state.gatekeeper;
      handle({ email, sha256: isRead ? sha256(Buffer.concat(pieces)) : null, decision });
      context.body = { ok: true };
    });
    app.use(router.routes());
    const server = createServer(app.callback());
    // A busy client must not send on a connection that this server is closing.
    server.keepAliveTimeout = 75_000;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.teardown(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  },
});
