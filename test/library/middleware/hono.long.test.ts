import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { serve } from '@hono/node-server';
import test, { type ExecutionContext } from 'ava';
import { Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { judgeSignup } from '../../../src/library/hono.ts';
import { CHROME, openGatekeeper } from '../library-server.ts';
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
    return await listen(t, app);
  },
});

async function listen(t: ExecutionContext, { fetch }: Pick<Hono, 'fetch'>): Promise<string> {
  const server = await new Promise<ReturnType<typeof serve>>((resolve) => {
    const listening = serve({ fetch, port: 0, hostname: '127.0.0.1' }, () => resolve(listening));
  });
  t.teardown(() => {
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const EARLIER_READERS: Readonly<Record<string, MiddlewareHandler>> = {
  bodyLimit: bodyLimit({ maxSize: 50_000 }),
  'a look at the body, and a pause': async (context, next) => {
    if (context.req.raw.body) await setTimeout(20);
    await next();
  },
  'a copy that was read': async (context, next) => {
    await context.req.raw.clone().text();
    await next();
  },
};

for (const [name, reader] of Object.entries(EARLIER_READERS))
  test(`after ${name}, a signup is judged, and the handler reads every byte once`, async (t) => {
    const gatekeeper = await openGatekeeper(t);
    const app = new Hono().post(
      '/signup',
      reader,
      judgeSignup(gatekeeper, { maxBody: 40_000 }),
      async (context) => context.text(`${context.get('gatekeeper')?.action} ${await context.req.raw.text()}`),
    );
    const url = await listen(t, app);
    const post = async (body: string, init: object = {}) => {
      const headers = { ...CHROME, 'content-type': 'application/json' };
      return await fetch(`${url}/signup`, { method: 'POST', headers, body, ...init });
    };
    const long = JSON.stringify({ email: 'jane.doe@gmail.com', note: 'x'.repeat(39_000) });
    for (const body of ['{"email":"jane.doe@gmail.com"}', long]) {
      const chunks = { body: new Blob([body]).stream(), duplex: 'half' };
      for (const init of [{}, chunks]) t.is(await (await post(body, init)).text(), `forward ${body}`);
    }
    t.is((await post('{"email":"jane@mailinator.com"}')).status, 403);
    t.is((await post(long.replace('xx', 'x'.repeat(2_000)))).status, 413);
  });

test('without @hono/node-server the error says what is missing', async (t) => {
  const app = new Hono();
  app.post('/signup', judgeSignup(await openGatekeeper(t)), (context) => context.text('ok'));
  app.onError((error, context) => context.text(error.message, 500));
  const answer = await app.request('/signup', { method: 'POST', body: '{}' });
  t.is(answer.status, 500);
  t.regex(await answer.text(), /must run on @hono\/node-server/);
});
