import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import test from 'ava';
import { IS_FULL_PROOF } from '../../helpers/full-proof.ts';
import { exchange } from '../../http/raw-client.ts';
import { ask } from './ask-gate.ts';
import { openApp, openGate, openRawApp, until } from './open-gate.ts';

test('a client that disconnects at any moment leaves no upstream connection open', async (t) => {
  const open = new Set<Socket>();
  const port = await openRawApp(t, (socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    const timer = setInterval(() => socket.writable && socket.write(`400\r\n${'x'.repeat(1_024)}\r\n`), 1);
    socket.on('close', () => clearInterval(timer));
    socket.once('data', (chunk) => {
      if (!chunk.toString().startsWith('GET /late'))
        socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      else clearInterval(timer);
    });
  });
  const gate = await openGate(t, port, { maxConnections: 20 });
  const leaving = Array.from({ length: IS_FULL_PROOF ? 1_000 : 100 }, (_, i) => {
    return new Promise<void>((resolve) => {
      const socket = connect(gate.port, '127.0.0.1');
      const body =
        i % 3 === 0 ? 'POST /up HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\nbegun' : null;
      socket.on('connect', () =>
        socket.write(body ?? `GET /${i % 2 ? 'late' : 'down'} HTTP/1.1\r\nHost: a\r\n\r\n`),
      );
      socket.on('error', () => {}).on('close', () => resolve());
      setTimeout(() => socket.destroy(), i % 20);
    });
  });
  await Promise.all(leaving);
  await until(() => open.size === 0 && gate.transport.openConnections() === 0);
  t.is(open.size, 0);
});

test('a client that disconnects shortly before the end of its answer costs no connection', async (t) => {
  let sockets = 0;
  const asked: ServerResponse[] = [];
  const app = await openApp(t, (_request, response) => void asked.push(response));
  app.server.on('connection', () => sockets++);
  const gate = await openGate(t, app.port);
  for (let i = 1; i <= 20; i++) {
    const leaver = connect(gate.port, '127.0.0.1', () => leaver.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'));
    await until(() => asked.length === i);
    leaver.destroy();
    await until(() => gate.outcomes.length === i);
    asked.at(-1)?.end('x'.repeat(10_000));
    await until(() => gate.transport.isIdle());
  }
  // Without this, each of them costs one. On a busy machine some answers come too late.
  t.true(sockets <= 10, `${sockets} sockets`);
});

test('a burst of requests gets the connections of clients that have disconnected, beside all places of the queue', async (t) => {
  const begun: string[] = [];
  const app = await openApp(t, ({ url = '' }, response) => {
    begun.push(url);
    if (url === '/next') response.end('ok');
  });
  const gate = await openGate(t, app.port, { maxConnections: 4 });
  const leavers = Array.from({ length: 4 }, (_, i) => {
    const leaver = connect(gate.port, '127.0.0.1', () =>
      leaver.write(`GET /${i} HTTP/1.1\r\nHost: a\r\n\r\n`),
    );
    return leaver;
  });
  await until(() => begun.length === 4);
  for (const leaver of leavers) leaver.destroy();
  await until(() => gate.outcomes.length === 4);
  // All arrive in one tick: one for each connection, and four for each in the queue.
  const requests = 'GET /next HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(19);
  const last = 'GET /next HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
  const { answers } = await exchange(gate.port, `${requests}${last}`, { answers: 20 });
  t.deepEqual(
    answers.map(({ status }) => status),
    Array.from({ length: 20 }, () => 200),
  );
});

test('a request that waits is answered when a large answer for nobody ends its connection in that moment', async (t) => {
  const left: Socket[] = [];
  const forwarded: string[] = [];
  const port = await openRawApp(t, (socket) => {
    socket.on('data', (chunk) => {
      if (chunk.toString().startsWith('GET /left')) left.push(socket);
      else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    });
  });
  const gate = await openGate(t, port, {
    maxConnections: 1,
    forward: { outlivesClient: true, body: Buffer.alloc(0) },
    onRequest: ({ url = '' }) => void forwarded.push(url),
  });
  const body = 'x'.repeat(70_000);
  const answer = `HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  for (let i = 1; i <= 20; i++) {
    const leaver = connect(gate.port, '127.0.0.1', () =>
      leaver.write('GET /left HTTP/1.1\r\nHost: a\r\n\r\n'),
    );
    await until(() => left.length === i);
    leaver.destroy();
    await until(() => gate.outcomes.length === 2 * i - 1);
    const next = ask(`${gate.url}/next`);
    await until(() => forwarded.length === 2 * i);
    left.at(-1)?.write(answer);
    t.is((await next).status, 200);
  }
});

test('each client that disconnects before its answer costs one socket to the upstream, and the next request none', async (t) => {
  let sockets = 0;
  let received = 0;
  const port = await openRawApp(t, (socket) => {
    sockets++;
    socket.on('data', (chunk) => {
      received++;
      if (chunk.toString().startsWith('POST')) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    });
  });
  const gate = await openGate(t, port, { maxConnections: 1 });
  const statuses: number[] = [];
  for (let i = 0; i < 20; i++) {
    const before = received;
    const leaver = connect(gate.port, '127.0.0.1', () => leaver.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'));
    await until(() => received > before);
    leaver.destroy();
    statuses.push((await ask(gate.url, { method: 'POST' }, 'x')).status);
  }
  t.deepEqual(new Set(statuses), new Set([200]));
  t.true(sockets <= 21, `${sockets} sockets`);
});

test('a client that does not read slows the upstream, and is disconnected', async (t) => {
  let written = 0;
  const app = await openApp(t, (_request, response) => {
    const chunk = Buffer.alloc(65_536);
    const more = () => {
      while (!response.destroyed && written < 200_000_000) {
        written += chunk.length;
        if (!response.write(chunk)) {
          response.once('drain', more);
          return;
        }
      }
    };
    more();
  });
  const gate = await openGate(t, app.port, { limits: { body_timeout: 300 } });
  const socket = connect(gate.port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'));
  socket.pause();
  socket.on('error', () => {});
  t.teardown(() => socket.destroy());
  await until(() => gate.outcomes.length === 1);
  t.true(written < 30_000_000, `${written} bytes were taken from the upstream`);
});

test('closing ends a request that outlives its client when the time is over', async (t) => {
  let asked = 0;
  const app = await openApp(t, () => asked++);
  const gate = await openGate(t, app.port, { forward: { body: Buffer.from('{}'), outlivesClient: true } });
  const socket = connect(gate.port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'));
  await until(() => asked === 1);
  socket.destroy();
  await until(() => gate.outcomes.length === 1);
  t.is(gate.transport.openConnections(), 1);
  await gate.transport.close(50);
  t.is(gate.transport.openConnections(), 0);
});
