import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import test, { type ExecutionContext } from 'ava';
import { exchange } from '../../http/raw-client.ts';
import { openGate, openRawApp, until } from './open-gate.ts';

const HANDSHAKE = [
  ...['Host: app.example', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'],
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
];
const ask = (target = '/ws', more: readonly string[] = []) =>
  `GET ${target} HTTP/1.1\r\n${[...HANDSHAKE, ...more].join('\r\n')}\r\n\r\n`;
const ACCEPT =
  'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n';

interface EchoApp {
  readonly port: number;
  readonly requests: readonly IncomingMessage[];
  readonly open: ReadonlySet<Duplex>;
}

/** An app that accepts every WebSocket, returns its bytes, and answers every other request. */
async function openEchoApp(t: ExecutionContext): Promise<EchoApp> {
  const requests: IncomingMessage[] = [];
  const open = new Set<Duplex>();
  const server = createServer((request, response) => {
    requests.push(request);
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () =>
      response.end(`ordinary ${request.headers.upgrade} ${request.headers.connection} ${body}`),
    );
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    requests.push(request);
    open.add(socket);
    socket.on('close', () => open.delete(socket)).on('error', () => socket.destroy());
    socket.write(`${ACCEPT}X-Hop: 1\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\n\r\n`);
    socket.pipe(socket);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    for (const socket of open) socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, requests, open };
}

/** A client that has sent its handshake; `text` grows with the received bytes. */
function openClient(t: ExecutionContext, port: number, bytes: string | Buffer) {
  const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
  const client = { socket, text: '', ended: false };
  socket.on('data', (chunk) => {
    client.text += chunk.toString('latin1');
  });
  socket
    .on('error', () => {})
    .on('close', () => {
      client.ended = true;
    });
  t.teardown(() => socket.destroy());
  return client;
}

const all = () => true;

test('a WebSocket echoes through the gate, and bytes sent with the handshake are not lost', async (t) => {
  const app = await openEchoApp(t);
  const gate = await openGate(t, app.port, { upgrades: all });
  const client = openClient(t, gate.port, `${ask()}early`);
  await until(() => client.text.endsWith('early'));
  client.socket.write(' late');
  await until(() => client.text.endsWith('early late'));
  t.regex(client.text, /^HTTP\/1\.1 101 Switching Protocols\r\n/);
  t.regex(client.text, /\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK\+xOo=\r\n/);
  t.is(client.text.match(/Set-Cookie/g)?.length, 2);
  t.is(client.text.match(/Connection: Upgrade/gi)?.length, 1);
});

test('megabytes pass in both directions at once', async (t) => {
  const app = await openEchoApp(t);
  const gate = await openGate(t, app.port, { upgrades: all });
  const bytes = randomBytes(5_000_000);
  const hash = createHash('sha256');
  const socket = connect(gate.port, '127.0.0.1', () => socket.write(ask()));
  t.teardown(() => socket.destroy());
  await new Promise<void>((resolve) => {
    let head = true;
    let missing = bytes.length;
    socket.on('data', (chunk) => {
      if (head) {
        head = false;
        socket.write(bytes);
        return;
      }
      hash.update(chunk);
      missing -= chunk.length;
      if (missing === 0) resolve();
    });
  });
  t.is(hash.digest('hex'), createHash('sha256').update(bytes).digest('hex'));
});

test('the app gets a new handshake: the original target, no forged or hop-by-hop fields', async (t) => {
  const app = await openEchoApp(t);
  const gate = await openGate(t, app.port, { upgrades: all });
  const client = openClient(
    t,
    gate.port,
    ask('//a//b/../c?d=//e', [
      ...[
        'X-Gatekeeper-Action: forward',
        'x_gatekeeper_score: 99',
        'X-Forwarded-For: 6.6.6.6',
        'Expect: 100-continue',
      ],
      ...[
        'Trailer: x',
        'X-Dup: 1',
        'x-dup: 2',
        'Connection: X-Secret',
        'X-Secret: 1',
        'Sec-WebSocket-Protocol: chat',
      ],
    ]),
  );
  await until(() => client.text.includes('\r\n\r\n'));
  const [request] = app.requests;
  t.is(request?.url, '//a//b/../c?d=//e');
  const headers = request?.headers ?? {};
  t.is(headers.host, 'app.example');
  t.is(headers['x-forwarded-for'], '127.0.0.1');
  t.is(headers['sec-websocket-protocol'], 'chat');
  t.is(headers['x-dup'], '1, 2');
  t.is(headers.connection, 'Upgrade');
  t.is(headers.via, '1.1 gatekeeper');
  for (const name of ['x-gatekeeper-action', 'x_gatekeeper_score', 'trailer', 'x-secret', 'expect'])
    t.is(headers[name], undefined);
});

const ORDINARY: readonly (readonly [title: string, head: string])[] = [
  [
    'h2c, as Java asks for it',
    'GET /ws HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n',
  ],
  [
    'h2c with a body',
    'POST /ws HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: A\r\nContent-Length: 5\r\n\r\nhello',
  ],
  [
    'h2c with chunks',
    'POST /ws HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
  ],
  ['TLS', 'OPTIONS /ws HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: TLS/1.0\r\n\r\n'],
  ['two protocols', ask().replace('websocket', 'websocket, h2c')],
  ['a WebSocket by POST', ask().replace('GET', 'POST')],
  ['a WebSocket on a path that may have none', ask('/signup')],
];

/** Node 26 itself reads the body of such a request and drops what follows, so the gate closes the connection. */
const isLast = (head: string) =>
  Number.parseInt(process.versions.node, 10) >= 26 && /content-length|transfer-encoding/i.test(head);

for (const [title, head] of ORDINARY) {
  test(`a wish that is not granted is an ordinary request: ${title}`, async (t) => {
    const app = await openEchoApp(t);
    const gate = await openGate(t, app.port, { upgrades: (target) => target !== '/signup' });
    const { answers } = await exchange(gate.port, `${head}${head}`, { answers: 2 });
    t.deepEqual(
      answers.map(({ status, headers }) => [status, headers.connection]),
      isLast(head)
        ? [[200, 'close']]
        : [
            [200, 'keep-alive'],
            [200, 'keep-alive'],
          ],
    );
    t.is(answers[0]?.body, `ordinary undefined keep-alive ${head.includes('hello') ? 'hello' : ''}`);
    t.is(app.requests.length, answers.length);
  });
}

test('a request for a WebSocket after an unanswered request waits for its turn', async (t) => {
  const app = await openEchoApp(t);
  const gate = await openGate(t, app.port, { upgrades: all });
  const client = openClient(t, gate.port, `GET /first HTTP/1.1\r\nHost: a\r\n\r\n${ask()}early`);
  await until(() => client.text.endsWith('early'));
  t.regex(
    client.text,
    /^HTTP\/1\.1 200 OK[\s\S]*ordinary[\s\S]*HTTP\/1\.1 101 Switching Protocols[\s\S]*early$/,
  );
});

test('a broken head that asks for a WebSocket is refused as any other', async (t) => {
  const app = await openEchoApp(t);
  const gate = await openGate(t, app.port, { upgrades: all });
  const { answers } = await exchange(gate.port, ask('/ws', ['Host: second']));
  t.is(answers[0]?.status, 400);
  t.is(app.requests.length, 0);
});

const REFUSALS = [
  'HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\n\r\nno',
  'HTTP/1.1 403 Forbidden\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nno\r\n0\r\n\r\n',
  'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nno',
];

test('an app that wants no WebSocket is heard, however it frames its answer', async (t) => {
  for (const refusal of REFUSALS) {
    const port = await openRawApp(t, (socket) => {
      socket.on('data', () => (refusal.includes('close') ? socket.end(refusal) : socket.write(refusal)));
    });
    const gate = await openGate(t, port, { upgrades: all });
    const client = openClient(t, gate.port, ask());
    await until(() => client.ended);
    t.is(client.text.slice(0, 12), refusal.slice(0, 12));
    t.regex(client.text, /\r\nConnection: close\r\n\r\nno$/);
    t.notRegex(client.text, /transfer-encoding/i);
  }
});

test('an unreachable app is 502, a silent one 504, one with an invalid answer 502', async (t) => {
  const silent = await openRawApp(t, () => {});
  const nonsense = await openRawApp(t, (socket) => socket.on('data', () => socket.write('nonsense\r\n\r\n')));
  const coded = await openRawApp(t, (socket) =>
    socket.on('data', () =>
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n'),
    ),
  );
  for (const [port, status, response] of [
    [9, 502, 60_000],
    [silent, 504, 100],
    [nonsense, 502, 60_000],
    [coded, 502, 60_000],
  ] as const) {
    const gate = await openGate(t, port, { upgrades: all, timeouts: { response } });
    const { answers, end } = await exchange(gate.port, ask());
    t.is(answers[0]?.status, status);
    t.is(end, 'closed');
  }
});

test('resets on either side at any moment end the other side and never the process', async (t) => {
  const open = new Set<Socket>();
  const port = await openRawApp(t, (socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.once('data', (chunk) => {
      const text = chunk.toString();
      if (text.startsWith('GET /refused'))
        socket.write('HTTP/1.1 401 No\r\n\r\n', () => socket.resetAndDestroy());
      else if (text.startsWith('GET /dies')) socket.write(`${ACCEPT}\r\n`, () => socket.resetAndDestroy());
      else if (text.startsWith('GET /at-once')) socket.resetAndDestroy();
      else if (!text.startsWith('GET /pending')) socket.write(`${ACCEPT}\r\n`);
    });
  });
  const gate = await openGate(t, port, { upgrades: all });
  const kinds = ['refused', 'dies', 'at-once', 'pending', 'stays'];
  await Promise.all(
    Array.from({ length: 100 }, (_, i) => {
      const kind = kinds[i % kinds.length];
      const socket = connect(gate.port, '127.0.0.1', () => socket.write(ask(`/${kind}`)));
      setTimeout(() => (i % 2 ? socket.resetAndDestroy() : socket.destroy()), 5 + (i % 30));
      return new Promise((resolve) => socket.on('error', () => {}).on('close', resolve));
    }),
  );
  await until(() => open.size === 0);
  t.is(open.size, 0);
});

test('a side that ends cleanly ends the other', async (t) => {
  const app = await openEchoApp(t);
  const gate = await openGate(t, app.port, { upgrades: all });
  const client = openClient(t, gate.port, `${ask()}bye`);
  await until(() => client.text.endsWith('bye'));
  client.socket.end();
  await until(() => client.ended && app.open.size === 0);
  t.true(client.ended);
});

test('closing the listener ends WebSockets', async (t) => {
  const app = await openEchoApp(t);
  const gate = await openGate(t, app.port, { upgrades: all });
  const client = openClient(t, gate.port, `${ask()}x`);
  await until(() => client.text.endsWith('x'));
  await gate.listener.close();
  await until(() => client.ended && app.open.size === 0);
  t.true(client.ended);
});
