import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { drive } from '../../bench/drive.ts';

async function portOf(t: ExecutionContext, server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** A busy machine may send the next request of a connection after the usual five seconds. */
const PATIENT = { keepAliveTimeout: 600_000 };

const httpServer = (t: ExecutionContext, handler: RequestListener) =>
  portOf(t, createServer(PATIENT, handler));

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a.internal\r\n\r\n`;

test('every request is sent and answered once, in turn, over the given number of connections', async (t) => {
  const paths = new Map<string, number>();
  const ports = new Set<number | undefined>();
  const port = await httpServer(t, (request, response) => {
    paths.set(request.url ?? '', (paths.get(request.url ?? '') ?? 0) + 1);
    ports.add(request.socket.remotePort);
    response.end('ok');
  });
  const result = await drive({ port, requests: [get('/a'), get('/b')], count: 101, connections: 8 });
  t.deepEqual(Object.fromEntries(paths), { '/a': 51, '/b': 50 });
  t.is(ports.size, 8);
  t.deepEqual(result.statuses, { 200: 101 });
  t.true(result.elapsedMs > 0 && result.p50Ms > 0 && result.p99Ms >= result.p50Ms);
});

test('the client of one request in so many disconnects before its answer, and another client replaces it', async (t) => {
  let left = 0;
  let connections = 0;
  const server = createServer(PATIENT, (_request, response) => {
    response.on('close', () => {
      if (!response.writableFinished) left++;
    });
    setTimeout(() => response.end('ok'), 40);
  });
  server.on('connection', () => connections++);
  const port = await portOf(t, server);
  const load = { port, requests: [get('/')], count: 200, connections: 4, leavesEvery: 10 };
  const result = await drive(load);
  t.deepEqual(result.statuses, { 200: 180 });
  t.is(connections, 4 + 20);
  t.true(left > 0, `${left} left`);
  t.true(result.p50Ms > 0);
});

test('bodies are sent whole, and answers are read with a length or in chunks, however they are cut', async (t) => {
  const body = 'x'.repeat(100_000);
  const bodies = new Set<string>();
  const port = await httpServer(t, async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    bodies.add(text);
    if (request.url === '/length') {
      response.setHeader('Content-Length', 70_000);
      response.end('y'.repeat(70_000));
      return;
    }
    response.write('z'.repeat(66_000));
    await new Promise((resolve) => setImmediate(resolve));
    response.end('\r\n0\r\n\r\n and more');
  });
  const post = (path: string) =>
    `POST ${path} HTTP/1.1\r\nHost: a.internal\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const { statuses } = await drive({
    port,
    requests: [post('/length'), post('/chunks')],
    count: 20,
    connections: 2,
  });
  t.deepEqual(statuses, { 200: 20 });
  t.deepEqual([...bodies], [body]);
});

test('other statuses are counted apart', async (t) => {
  const port = await httpServer(t, (request, response) => {
    response.statusCode = request.url === '/bad' ? 503 : 200;
    response.end('{}');
  });
  const { statuses } = await drive({ port, requests: [get('/'), get('/bad')], count: 10, connections: 1 });
  t.deepEqual(statuses, { 200: 5, 503: 5 });
});

test('a run fails when a connection ends before its answer, or an answer has no end', async (t) => {
  const closing = await httpServer(t, (request) => request.socket.destroy());
  await t.throwsAsync(drive({ port: closing, requests: [get('/')], count: 3, connections: 2 }), {
    message: /closed a connection|ECONNRESET/,
  });
  const endless = await portOf(
    t,
    createTcpServer((socket) => socket.on('error', () => {}).write('HTTP/1.1 200 OK\r\n\r\n')),
  );
  await t.throwsAsync(drive({ port: endless, requests: [get('/')], count: 1, connections: 1 }), {
    message: /neither a length nor chunks/,
  });
  await t.throwsAsync(drive({ port: endless, requests: [], count: 1, connections: 1 }), {
    message: /no request/,
  });
});
