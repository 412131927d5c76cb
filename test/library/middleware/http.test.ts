import { createServer, request as httpRequest } from 'node:http';
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import test from 'ava';
import { judgeSignup } from '../../../src/library/http.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { CHROME, nextHome, openGatekeeper } from '../library-server.ts';
import { type FrameworkApp, failIfAsked, openApp, sha256 } from './framework-app.ts';
import { describeMiddleware } from './middleware.contract.ts';

const HTTP: FrameworkApp = {
  name: 'node:http',
  parsers: ['none'],
  async open(t, { gatekeeper, options, handle }) {
    const signUp = judgeSignup(
      gatekeeper,
      async (request, response) => {
        failIfAsked(request.headers['x-throw']);
        const isRead = request.headers['x-ignore'] === undefined;
        const pieces: Buffer[] = [];
        if (isRead) for await (const piece of request) pieces.push(piece as Buffer);
        const bytes = isRead ? sha256(Buffer.concat(pieces)) : null;
        handle({ email: undefined, sha256: bytes, decision: request.gatekeeper });
        response.setHeader('content-type', 'application/json').end('{"ok":true}');
      },
      options,
    );
    const server = createServer((request, response) => {
      signUp(request, response).catch(() => response.writeHead(500).end());
    });
    // A busy client must not send on a connection that this server is closing.
    server.keepAliveTimeout = 75_000;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.teardown(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  },
};
describeMiddleware(HTTP);

test('an encoded body is judged decoded and handed on encoded', async (t) => {
  const { url, handled } = await openApp(t, { framework: HTTP, parser: 'none', options: {} });
  const send = (email: string) => {
    const body = gzipSync(JSON.stringify({ email }));
    const headers = { ...CHROME, 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const sent = { method: 'POST', headers: { ...headers, 'x-forwarded-for': nextHome() }, body };
    return fetch(`${url}/signup`, sent).then(({ status }) => ({ status, hash: sha256(body) }));
  };
  const low = await send('jane.doe@gmail.com');
  t.is(low.status, 200);
  t.is(handled[0]?.sha256, low.hash);
  t.is((await send('jane@mailinator.com')).status, 403);
});

test('an empty body in chunks is refused; monitor mode hands it on', async (t) => {
  const send = (url: string) =>
    new Promise<number>((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
      const sent = httpRequest(`${url}/signup`, { method: 'POST', headers }, (answer) => {
        resolve(answer.resume().statusCode ?? 0);
      });
      sent.on('error', reject).end();
    });
  const strict = await openApp(t, { framework: HTTP, parser: 'none', options: {} });
  t.is(await send(strict.url), 400);
  const watching = await openApp(t, { framework: HTTP, parser: 'none', options: { mode: 'monitor' } });
  t.is(await send(watching.url), 200);
  t.is(watching.handled[0]?.sha256, sha256(''));
});

test('monitor mode hands on a body over the limit, whole', async (t) => {
  const options = { mode: 'monitor', maxBody: 100 } as const;
  const { post, url, handled } = await openApp(t, { framework: HTTP, parser: 'none', options });
  const body = JSON.stringify({ email: 'jane.doe@gmail.com', note: 'x'.repeat(200_000) });
  t.is((await post(body, { 'content-type': 'application/json' })).status, 200);
  await fetch(`${url}/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: new Blob([body]).stream(),
    duplex: 'half',
  } as RequestInit);
  t.deepEqual(
    handled.map(({ sha256: hash }) => hash),
    [sha256(body), sha256(body)],
  );
});

test('the peer of a Unix socket counts as 127.0.0.1', async (t) => {
  const gatekeeper = await openGatekeeper(t, {
    ...{ lists: { deny: ['203.0.113.7'] }, scoring: { dns: { enabled: false } }, log: { level: 'silent' } },
  });
  const socketPath = join(temporaryFolder(t), 'app.sock');
  const handler = judgeSignup(gatekeeper, (_request, response) => response.end('ok'), {
    trustedProxies: ['127.0.0.1'],
  });
  const server = createServer((request, response) => void handler(request, response));
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  t.teardown(() => server.close());
  const send = (ip: string) =>
    new Promise<number>((resolve, reject) => {
      const headers = { ...CHROME, 'content-type': 'application/json', 'x-forwarded-for': ip };
      const sent = httpRequest(
        { socketPath, path: '/signup', method: 'POST', headers, agent: false },
        (answer) => resolve(answer.resume().statusCode ?? 0),
      );
      sent.on('error', reject).end('{"email": "jane.doe@gmail.com"}');
    });
  t.is(await send('81.2.69.142'), 200);
  t.is(await send('203.0.113.7'), 403);
});

test('over HTTP/2 an unread body is answered with 500, and the process goes on', async (t) => {
  const gatekeeper = await openGatekeeper(t);
  const handler = judgeSignup(gatekeeper, (_request, response) => response.end('ok'));
  const server = createHttp2Server((request, response) => {
    void handler(request as never, response as never);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  t.teardown(() => {
    client.close();
    server.close();
  });
  const stream = client.request({
    ':method': 'POST',
    ':path': '/signup',
    'content-type': 'application/json',
  });
  stream.end('{"email": "jane.doe@gmail.com"}');
  const status = await new Promise((resolve) => stream.on('response', (head) => resolve(head[':status'])));
  stream.resume();
  t.is(status, 500);
});

test('HEAD and OPTIONS pass, also with a body', async (t) => {
  const { url, handled } = await openApp(t, { framework: HTTP, parser: 'none', options: {} });
  const body = '{"email": "jane@mailinator.com"}';
  const headers = { 'content-type': 'application/json' };
  t.is((await fetch(`${url}/signup`, { method: 'OPTIONS', headers, body })).status, 200);
  t.is(handled[0]?.decision, undefined);
});

test('the handler must be a function', async (t) => {
  const gatekeeper = await openGatekeeper(t);
  t.throws(() => judgeSignup(gatekeeper, {} as never), {
    instanceOf: TypeError,
    message: /must be the handler/,
  });
});
