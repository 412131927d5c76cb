import formbody from '@fastify/formbody';
import multipart from '@fastify/multipart';
import test from 'ava';
import Fastify from 'fastify';
import { judgeSignup } from '../../../src/library/fastify.ts';
import { openGatekeeper } from '../library-server.ts';
import { type FrameworkApp, failIfAsked, openApp, sha256 } from './framework-app.ts';
import { describeMiddleware } from './middleware.contract.ts';

const FASTIFY: FrameworkApp = {
  name: 'Fastify',
  parsers: ['before', 'none'],
  async open(t, { gatekeeper, options, parser, handle }) {
    const app = Fastify();
    if (parser === 'before') {
      await app.register(formbody);
      await app.register(multipart, { attachFieldsToBody: 'keyValues' });
    } else {
      app.removeAllContentTypeParsers();
      app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    }
    app.route({
      method: ['GET', 'POST', 'PUT', 'DELETE'],
      url: '/signup',
      preHandler: judgeSignup(gatekeeper, options),
      handler: async (request) => {
        failIfAsked(request.headers['x-throw']);
        const isRead = parser === 'none' && request.headers['x-ignore'] === undefined;
        const pieces: Buffer[] = [];
        if (isRead) for await (const piece of request.raw) pieces.push(piece as Buffer);
        const { email } = (request.body ?? {}) as { email?: unknown };
        const bytes = isRead ? sha256(Buffer.concat(pieces)) : null;
        handle({ email, sha256: bytes, decision: request.gatekeeper });
        return { ok: true };
      },
    });
    t.teardown(() => app.close());
    return await app.listen({ port: 0, host: '127.0.0.1', forceCloseConnections: true } as {
      port: number;
      host: string;
    });
  },
};
describeMiddleware(FASTIFY);

test('a form of @fastify/multipart is judged by its fields', async (t) => {
  const { post, handled } = await openApp(t, { framework: FASTIFY, parser: 'before', options: {} });
  const form = (email: string) => {
    const data = new FormData();
    data.append('email', email);
    data.append('photo', new Blob(['x'.repeat(30_000)]), 'photo.png');
    return data;
  };
  t.is((await post(form('jane.doe@gmail.com'))).status, 200);
  t.is((await post(form('jane@mailinator.com'))).status, 403);
  t.is(handled.length, 1);
});

test('requests that Fastify injects without a socket are judged too', async (t) => {
  const gatekeeper = await openGatekeeper(t);
  const app = Fastify();
  app.post('/signup', { preHandler: judgeSignup(gatekeeper) }, (request) => ({
    level: request.gatekeeper?.riskLevel,
  }));
  t.teardown(() => app.close());
  const inject = (email: string) => app.inject({ method: 'POST', url: '/signup', payload: { email } });
  t.is((await inject('jane@mailinator.com')).statusCode, 403);
  const { statusCode, body } = await inject('jane.doe@gmail.com');
  t.is(statusCode, 200);
  t.regex(body, /"level":"(low|medium)"/);
});
