import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import test from 'ava';
import { Hono } from 'hono';
import { judgeSignup } from '../../../src/library/hono.ts';
import { openGatekeeper } from '../library-server.ts';
import { failIfAsked, sha256 } from './framework-app.ts';
import { describeMiddleware } from './middleware.contract.ts';

describeMiddleware({
  name: 'Hono',
  parsers: ['before', 'after', 'none'],
  async open(t, { gatekeeper, options, parser, handle }) {
    const app = new Hono();
    app.onError((error, context) => context.text(error.message, error instanceof SyntaxError ? 400 : 500));
    if (parser === 'before')
      app.use('/signup', async (context, next) => {
        const type = context.req.header('content-type') ?? '';
        if (type.includes('json')) await context.req.json();
        else if (type.includes('form')) await context.req.parseBody();
        else if (context.req.method === 'POST') await context.req.text();
        await next();
      });
    app.all('/signup', judgeSignup(gatekeeper, options), async (context) => {
      failIfAsked(context.req.header('x-throw'));
      const decision = context.get('gatekeeper');
      const { req } = context;
      let email: unknown;
      let bytes: string | null = null;
      if (req.header('x-ignore') === undefined && req.method !== 'GET' && req.method !== 'HEAD') {
        const type = req.header('content-type') ?? '';
        if (parser === 'none') bytes = sha256(Buffer.from(await req.arrayBuffer()));
        else if (type.includes('json')) ({ email } = await req.json<{ email: unknown }>());
        else if (type.includes('form')) ({ email } = await req.parseBody());
      }
      handle({ email, sha256: bytes, decision });
      return context.json({ ok: true });
    });
    const server = await new Promise<ReturnType<typeof serve>>((resolve) => {
      const listening = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, () => resolve(listening));
    });
    t.teardown(() => {
      if ('closeAllConnections' in server) server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  },
});

test('without @hono/node-server the error says what is missing', async (t) => {
  const app = new Hono();
  app.post('/signup', judgeSignup(await openGatekeeper(t)), (context) => context.text('ok'));
  app.onError((error, context) => context.text(error.message, 500));
  const answer = await app.request('/signup', { method: 'POST', body: '{}' });
  t.is(answer.status, 500);
  t.regex(await answer.text(), /must run on @hono\/node-server/);
});
