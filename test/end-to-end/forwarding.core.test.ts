import { readFileSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import test from 'ava';
import { openApp, openGate, openRawApp, until } from '../gate/transport/open-gate.ts';
import { exchange } from '../http/raw-client.ts';

const MANY = process.env.CI ? 2_000 : 200;

function fetchStatus(url: string, agent: Agent): Promise<{ status: number; connection: string | undefined }> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (answer: IncomingMessage) => {
      answer.resume();
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, connection: answer.headers.connection }),
      );
    }).on('error', reject);
  });
}

test('closing under load loses no request that was accepted, and every answer ends its connection', async (t) => {
  let arrived = 0;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const app = await openApp(t, (_request, response) => {
    arrived++;
    void released.then(() => response.end('late'));
  });
  const gate = await openGate(t, app.port, { maxConnections: 300, limits: { drain_timeout: 60_000 } });
  const agent = new Agent({ keepAlive: true });
  t.teardown(() => agent.destroy());
  const requests = Array.from({ length: 200 }, () => fetchStatus(gate.url, agent));
  await until(() => arrived === 200);
  const closed = gate.listener.close();
  release();
  const answers = await Promise.all(requests);
  t.true(answers.every(({ status, connection }) => status === 200 && connection === 'close'));
  await closed;
});

test('sockets that do nothing or never end do not hold up closing', async (t) => {
  const app = await openApp(t, (request, response) => {
    if (request.url === '/stream') response.write('data: 1\n\n');
    request.resume();
  });
  const gate = await openGate(t, app.port, { limits: { drain_timeout: 300 } });
  const starts = [
    '',
    'GET / HT',
    'GET /stream HTTP/1.1\r\nHost: a\r\n\r\n',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx',
  ];
  const sockets = Array.from({ length: 40 }, (_, i) => {
    const socket = connect(gate.port, '127.0.0.1', () => socket.write(starts[i % starts.length] ?? ''));
    socket.on('error', () => {}).resume();
    return new Promise<void>((resolve) => socket.on('close', () => resolve()));
  });
  await until(() => gate.transport.openConnections() >= 10);
  await gate.listener.close();
  await Promise.all(sockets);
  await until(() => gate.transport.openConnections() === 0);
  t.is(gate.transport.openConnections(), 0);
});

test(`${MANY} sockets that drip their heads are all ended in time, and honest requests are served meanwhile`, async (t) => {
  const app = await openApp(t, (_request, response) => response.end('ok'));
  const gate = await openGate(t, app.port, { limits: { head_timeout: 3_000 } });
  let open = 0;
  let refused = 0;
  const drips = Array.from({ length: MANY }, () => {
    open++;
    let timer: NodeJS.Timeout | undefined;
    const socket = connect(gate.port, '127.0.0.1', () => {
      socket.write('GET / HTTP/1.1\r\nHost: a\r\nX-');
      timer = setInterval(() => socket.writable && socket.write('a'), 300);
    });
    socket.on('data', (chunk) => {
      if (chunk.toString().startsWith('HTTP/1.1 408')) refused++;
    });
    return new Promise<void>((resolve) => {
      socket
        .on('error', () => {})
        .on('close', () => {
          clearInterval(timer);
          open--;
          resolve();
        });
    });
  });
  const agent = new Agent({ keepAlive: true });
  t.teardown(() => agent.destroy());
  const ended = Promise.all(drips);
  let served = 0;
  while (open > 0) {
    t.is((await fetchStatus(gate.url, agent)).status, 200);
    served++;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await ended;
  t.is(refused, MANY);
  t.true(served > 0);
});

test('pipelined requests are answered in their order, whatever takes long', async (t) => {
  const app = await openApp(t, (request, response) => {
    const wait = request.url === '/0' ? 50 : 0;
    setTimeout(() => response.end(request.url), wait);
  });
  const gate = await openGate(t, app.port);
  const pipelined = Array.from({ length: 20 }, (_, i) => `GET /${i} HTTP/1.1\r\nHost: a\r\n\r\n`).join('');
  const { answers } = await exchange(gate.port, pipelined, { answers: 20 });
  t.deepEqual(
    answers.map(({ body }) => body),
    Array.from({ length: 20 }, (_, i) => `/${i}`),
  );
});

test('a head of too many lines or bytes is 431 and never shortened on its way', async (t) => {
  let requests = 0;
  const app = await openApp(t, (_request, response) => {
    requests++;
    response.end('ok');
  });
  const gate = await openGate(t, app.port);
  const lines = (count: number) => Array.from({ length: count }, (_, i) => `X-${i}: 1\r\n`).join('');
  for (const [more, status] of [
    [lines(190), 200],
    [lines(201), 431],
    [lines(2_100), 431],
    [`X: ${'x'.repeat(17_000)}\r\n`, 431],
  ] as const) {
    const { answers } = await exchange(gate.port, `GET / HTTP/1.1\r\nHost: a\r\n${more}\r\n`, { answers: 1 });
    t.is(answers[0]?.status, status);
  }
  t.is(requests, 1);
});

test('trailers of a request are dropped and never merged', async (t) => {
  const seen: unknown[] = [];
  const app = await openApp(t, (request, response) => {
    request.resume();
    request.on('end', () => {
      seen.push(request.rawTrailers, request.headers['x-gatekeeper-action'], request.headers.trailer);
      response.end('ok');
    });
  });
  const gate = await openGate(t, app.port);
  const head =
    'POST / HTTP/1.1\r\nHost: a\r\nTrailer: X-Gatekeeper-Action\r\nTransfer-Encoding: chunked\r\n\r\n';
  const body = `${(20_000).toString(16)}\r\n${'x'.repeat(20_000)}\r\n0\r\nX-Gatekeeper-Action: forward\r\n\r\n`;
  const { answers } = await exchange(gate.port, head + body, { answers: 1 });
  t.is(answers[0]?.status, 200);
  t.deepEqual(seen, [[], undefined, undefined]);
});

test('an upstream with TLS is asked for by its own name, and believed only with a certificate for it', async (t) => {
  const pem = (name: string) => readFileSync(new URL(`../http/testdata/${name}`, import.meta.url), 'utf8');
  const names: string[] = [];
  const files = { cert: pem('one.crt'), key: pem('one.key') };
  const server = createTlsServer(
    {
      ...files,
      SNICallback: (name, done) => {
        names.push(name);
        done(null);
      },
    },
    (_request, response) => response.end('never'),
  );
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  const gate = await openGate(t, `https://localhost:${port}`, { upgrades: () => true });
  const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';
  for (const more of ['', upgrade]) {
    const { answers } = await exchange(gate.port, `GET / HTTP/1.1\r\nHost: evil.example\r\n${more}\r\n`, {
      answers: 1,
    });
    t.is(answers[0]?.status, 502);
  }
  t.deepEqual(names, ['localhost', 'localhost']);
});

test('a slow reader of one answer does not slow down the others', async (t) => {
  const app = await openApp(t, (request, response) => {
    if (request.url === '/large') response.end(Buffer.alloc(20_000_000));
    else response.end('ok');
  });
  const gate = await openGate(t, app.port, { maxConnections: 2 });
  const slow = connect(gate.port, '127.0.0.1', () => slow.write('GET /large HTTP/1.1\r\nHost: a\r\n\r\n'));
  slow.pause();
  t.teardown(() => slow.destroy());
  await until(() => gate.transport.openConnections() === 1);
  const agent = new Agent({ keepAlive: true });
  t.teardown(() => agent.destroy());
  const statuses = await Promise.all(
    Array.from({ length: 8 }, () => fetchStatus(`${gate.url}/small`, agent)),
  );
  t.true(statuses.every(({ status }) => status === 200));
});

test('an upstream that announces when it closes idle connections is not asked on one of those', async (t) => {
  let connections = 0;
  const port = await openRawApp(t, (socket) => {
    connections++;
    socket.on('data', () =>
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nKeep-Alive: timeout=1\r\n\r\nok'),
    );
  });
  const gate = await openGate(t, port);
  for (let i = 0; i < 5; i++)
    t.is(
      (await exchange(gate.port, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n', { answers: 1 })).answers[0]?.status,
      200,
    );
  t.is(connections, 5, 'one second is too short to be sure');
});
