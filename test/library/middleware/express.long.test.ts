import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import express, { type RequestHandler } from 'express';
import { judgeSignup } from '../../../src/library/express.ts';
import { openGatekeeper } from '../library-server.ts';
import { type AppOptions, type FrameworkApp, failIfAsked, openApp, sha256 } from './framework-app.ts';
import { describeMiddleware } from './middleware.contract.ts';

// The same API, without types of its own.
const { default: multer } = (await import('multer' as string)) as {
  readonly default: () => { single(name: string): RequestHandler };
};
const express4 = ((await import('express4' as string)) as { readonly default: typeof express }).default;

async function listen(t: ExecutionContext, app: express.Express): Promise<string> {
  const server = await new Promise<Server>((resolve) => {
    const listening = app.listen(0, '127.0.0.1', () => resolve(listening));
  });
  // A busy client must not send on a connection that this server is closing.
  server.keepAliveTimeout = 75_000;
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function openWith(framework: typeof express, parsers: readonly RequestHandler[]) {
  return (t: ExecutionContext, { gatekeeper, options, parser, handle }: AppOptions) => {
    const app = framework();
    const judge = judgeSignup(gatekeeper, options);
    const inOrder = { before: [...parsers, judge], after: [judge, ...parsers], none: [judge] }[parser];
    app.all('/signup', ...inOrder, async (request, response, next) => {
      try {
        failIfAsked(request.headers['x-throw']);
        const { gatekeeper: decision } = request;
        const isRead = parser === 'none' && request.headers['x-ignore'] === undefined;
        const bytes = isRead ? await bytesOf(request) : null;
        const { email } = (request.body ?? {}) as { email?: unknown };
        handle({ email, sha256: bytes && sha256(bytes), decision });
        response.json({ ok: true });
      } catch (error) {
        next(error);
      }
    });
    app.use(((_error, _request, response, _next) => {
      response.sendStatus((_error as { status?: number }).status ?? 500);
    }) as express.ErrorRequestHandler);
    return listen(t, app);
  };
}

async function bytesOf(request: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces);
}

const EXPRESS: FrameworkApp = {
  name: 'Express 5',
  parsers: ['before', 'after', 'none'],
  open: openWith(express, [express.json(), express.urlencoded()]),
};
const EXPRESS_4: FrameworkApp = {
  name: 'Express 4',
  parsers: ['before', 'after', 'none'],
  open: openWith(express4, [express4.json(), express4.urlencoded({ extended: true })]),
};
describeMiddleware(EXPRESS);
describeMiddleware(EXPRESS_4);

test('a form with a file is judged after multer', async (t) => {
  const framework: FrameworkApp = {
    ...EXPRESS,
    open: openWith(express, [multer().single('photo')]),
  };
  const { post, handled } = await openApp(t, { framework, parser: 'before', options: {} });
  const form = (email: string) => {
    const data = new FormData();
    data.append('email', email);
    data.append('photo', new Blob(['x'.repeat(3_000_000)]), 'photo.png');
    return data;
  };
  t.is((await post(form('jane.doe@gmail.com'))).status, 200);
  t.is((await post(form('jane@mailinator.com'))).status, 403);
  t.is(handled.length, 1);
  t.is(handled[0]?.email, 'jane.doe@gmail.com');
});

test('a field in brackets is found as each parser writes it', async (t) => {
  for (const [parser, parsers] of [
    ['before', [express.urlencoded({ extended: true })]],
    ['before', [express.urlencoded({ extended: false })]],
    ['after', [express.urlencoded({ extended: false })]],
  ] as const) {
    const framework: FrameworkApp = { ...EXPRESS, open: openWith(express, parsers) };
    const { post, handled } = await openApp(t, { framework, parser, options: { email: 'user[email]' } });
    t.is((await post(new URLSearchParams({ 'user[email]': 'jane.doe@gmail.com' }))).status, 200);
    t.is((await post(new URLSearchParams({ 'user[email]': 'jane@mailinator.com' }))).status, 403);
    t.is(handled.length, 1);
  }
});

test('bytes and texts that a parser keeps are judged like bytes', async (t) => {
  for (const parser of [express.raw({ type: '*/*' }), express.text({ type: '*/*' })]) {
    const framework: FrameworkApp = { ...EXPRESS, open: openWith(express, [parser]) };
    const { post } = await openApp(t, { framework, parser: 'before', options: {} });
    t.is((await post({ email: 'jane.doe@gmail.com' })).status, 200);
    t.is((await post({ email: 'jane@mailinator.com' })).status, 403);
    const twice = '{"email": "jane.doe@gmail.com", "email": "jane@mailinator.com"}';
    t.is((await post(twice, { 'content-type': 'application/json' })).status, 400);
  }
});

test('a body that was read and thrown away is an error of the app, in monitor mode only in the log', async (t) => {
  const readAway: RequestHandler = (request, _response, next) => {
    request.resume().on('end', next);
  };
  const framework: FrameworkApp = { ...EXPRESS, open: openWith(express, [readAway]) };
  const strict = await openApp(t, { framework, parser: 'before', options: {} });
  t.is((await strict.post({ email: 'jane.doe@gmail.com' })).status, 500);
  const watching = await openApp(t, { framework, parser: 'before', options: { mode: 'monitor' } });
  t.is((await watching.post({ email: 'jane.doe@gmail.com' })).status, 200);
  t.true(watching.handled[0]?.decision?.degraded);
});

test('mounted twice, a signup is judged twice and read once', async (t) => {
  const gatekeeper = await openGatekeeper(t);
  const framework: FrameworkApp = {
    ...EXPRESS,
    open: openWith(express, [judgeSignup(gatekeeper), express.json()]),
  };
  for (const parser of ['before', 'after'] as const) {
    const { post, handled } = await openApp(t, { framework, parser, options: {}, gatekeeper });
    t.is((await post({ email: `jane.doe.${parser}@gmail.com` })).status, 200);
    t.is(handled[0]?.email, `jane.doe.${parser}@gmail.com`);
  }
});
