import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import test, { type ExecutionContext } from 'ava';
import { chooseToClose, type OpenConnection } from '../../src/http/crowded-connections.ts';
import type { TlsFiles } from '../../src/http/http-server.ts';
import { openListener } from '../../src/http/listener.ts';
import type { FullReport } from '../../src/http/open-connections.ts';
import { LIMITS } from './limits.ts';

const HEAD = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const LATE = 5_000;

interface OpenOptions {
  readonly limit: number;
  readonly handler?: RequestListener;
  readonly isProxy?: (address: string) => boolean;
  readonly tls?: TlsFiles;
}

async function open(t: ExecutionContext, { limit, handler, isProxy, tls }: OpenOptions) {
  const reports: FullReport[] = [];
  const listener = await openListener({
    listen: { host: '127.0.0.1', port: 0 },
    limits: { ...LIMITS, max_connections: limit },
    handler: handler ?? ((_request, response) => void response.end('hello')),
    ...(isProxy && { isProxy }),
    ...(tls && { tls }),
    onFull: (report) => void reports.push(report),
  });
  t.teardown(() => listener.close(100));
  const sockets: Socket[] = [];
  t.teardown(() => sockets.forEach((socket) => void socket.destroy()));
  /** Connected and accepted: an address is a client of its own. */
  async function join(text: string, from = '127.0.0.1'): Promise<Socket> {
    const socket = connect({ port: listener.address.port, host: '127.0.0.1', localAddress: from });
    sockets.push(socket.on('error', () => {}));
    await once(socket, 'connect');
    if (text) socket.write(text);
    return socket;
  }
  return { port: listener.address.port, reports, join };
}

/** The answer's first line, or '' when the connection ends without one. */
async function answerTo(socket: Socket): Promise<string> {
  const [chunk] = await Promise.race([once(socket, 'data'), once(socket, 'close')]);
  return Buffer.isBuffer(chunk) ? (chunk.toString().split('\r\n')[0] ?? '') : '';
}

const OK = 'HTTP/1.1 200 OK';

for (const [title, text] of [
  ['send nothing', ''],
  ['never end their heads', 'GET / HTTP/1.1\r\nHost: a\r\nX-Slow: '],
  ['are idle after their answer', HEAD],
] as const) {
  test(`clients that ${title} do not keep others out`, async (t) => {
    const { join, reports } = await open(t, { limit: 5 });
    for (let i = 0; i < 5; i++) {
      const socket = await join(text);
      if (text === HEAD) await answerTo(socket);
    }
    for (let i = 0; i < 10; i++) t.is(await answerTo(await join(HEAD)), OK);
    t.deepEqual(reports, [{ limit: 5, closed: 1, refused: 0 }], 'told once a minute');
  });
}

test('a connection is closed that was opened first, and none with a running request', async (t) => {
  let finish = () => {};
  const { join } = await open(t, {
    limit: 3,
    handler: (request, response) => {
      if (request.url !== '/slow') response.end('hello');
      else finish = () => void response.end('late');
    },
  });
  const running = await join(HEAD.replace('/', '/slow'));
  const [first, second] = [await join(''), await join('')];
  const closed = once(first, 'close');
  t.is(await answerTo(await join(HEAD)), OK);
  await closed;
  t.false(second.destroyed);
  finish();
  t.is(await answerTo(running), OK);
});

test('one client with running requests does not keep others out, and is refused itself', async (t) => {
  const { join, reports } = await open(t, {
    limit: 4,
    handler: (_, response) => void response.flushHeaders(),
  });
  const crowd: Socket[] = [];
  for (let i = 0; i < 4; i++) crowd.push(await join(HEAD, '127.0.0.9'));
  await Promise.all(crowd.map(answerTo));
  t.is(await answerTo(await join(HEAD, '127.0.0.9')), '');
  const [oldest] = crowd;
  const closed = oldest && once(oldest, 'close');
  // A search in vain is repeated a moment later.
  const deadline = performance.now() + LATE;
  let answer = '';
  while (answer === '' && performance.now() < deadline)
    answer = await answerTo(await join(HEAD, '127.0.0.7'));
  t.is(answer, OK);
  await closed;
  t.is(reports[0]?.refused, 1);
});

test('running requests through a proxy are never closed: they are of many clients', async (t) => {
  const { join } = await open(t, {
    limit: 2,
    handler: (_, response) => void response.flushHeaders(),
    isProxy: (address) => address === '127.0.0.9',
  });
  const proxied = [await join(HEAD, '127.0.0.9'), await join(HEAD, '127.0.0.9')];
  await Promise.all(proxied.map(answerTo));
  t.is(await answerTo(await join(HEAD, '127.0.0.7')), '');
  t.false(proxied.some(({ destroyed }) => destroyed));
});

test('over TLS, neither handshakes nor idle connections keep others out', async (t) => {
  const pem = (name: string) => readFileSync(new URL(`./testdata/${name}`, import.meta.url), 'utf8');
  const certificate = { cert: pem('one.crt'), key: pem('one.key') };
  const { join, port } = await open(t, { limit: 3, tls: certificate });
  for (let i = 0; i < 3; i++) await join('');
  for (let i = 0; i < 5; i++) {
    const socket = connectTls({
      ...{ port, host: '127.0.0.1', servername: 'localhost', rejectUnauthorized: false },
    });
    t.teardown(() => socket.destroy());
    await once(
      socket.on('error', () => {}),
      'secureConnect',
    );
    socket.write(HEAD);
    t.is(await answerTo(socket), OK);
  }
});

/** Only what the choice reads of a connection. */
function connection(
  address: string,
  more: {
    readonly openedAt?: number;
    readonly answer?: 'running' | 'finished';
    readonly isUpgraded?: boolean;
  } = {},
): OpenConnection {
  const { openedAt = 0, answer, isUpgraded = false } = more;
  return {
    socket: { remoteAddress: address } as Socket,
    openedAt,
    answer: answer ? ({ writableFinished: answer === 'finished' } as OpenConnection['answer']) : null,
    isUpgraded,
  };
}

const NOW = 100_000;

function choose(
  connections: readonly OpenConnection[],
  newcomer = connection('192.0.2.1', { openedAt: NOW }),
) {
  const all = [...connections, newcomer];
  const chosen = chooseToClose({
    connections: all,
    newcomer: newcomer.socket,
    now: NOW,
    isProxy: () => false,
  });
  return chosen.map((socket) => connections.findIndex((one) => one.socket === socket));
}

test('the order: late heads, then idle connections, then fresh ones', (t) => {
  const late = connection('192.0.2.2', { openedAt: NOW - 1_000 });
  const idle = connection('192.0.2.3', { answer: 'finished' });
  const fresh = connection('192.0.2.4', { openedAt: NOW - 999 });
  const running = connection('192.0.2.5', { answer: 'running' });
  const webSocket = connection('192.0.2.6', { isUpgraded: true });
  t.deepEqual(choose([running, webSocket, fresh, idle, late]), [4]);
  t.deepEqual(choose([running, webSocket, fresh, idle]), [3]);
  t.deepEqual(choose([running, webSocket, fresh]), [2]);
});

const manyClients = (count: number) =>
  Array.from({ length: count }, (_, i) => connection(`198.51.${i}.1`, { answer: 'running' }));

test('in a crowd of many clients nobody is closed', (t) => {
  t.deepEqual(choose(manyClients(100)), []);
});

test('a client with an eighth of all connections loses its oldest, by its IPv6 network too', (t) => {
  const crowd = (count: number) =>
    Array.from({ length: count }, (_, i) => connection(`2001:db8:1:2:${i}::1`, { answer: 'running' }));
  t.deepEqual(choose([...manyClients(87), ...crowd(13)]), [87]);
  t.deepEqual(choose([...manyClients(89), ...crowd(12)]), []);
  const own = connection('2001:db8:1:2:ffff::9', { openedAt: NOW });
  t.deepEqual(choose([...manyClients(87), ...crowd(13)], own), []);
});

test('a network with half of all connections loses its oldest, when no client has an eighth', (t) => {
  const others = manyClients(100);
  const hoster = Array.from({ length: 102 }, (_, i) =>
    connection(`2001:db8:1:${i.toString(16)}::1`, { answer: 'running' }),
  );
  t.deepEqual(choose([...others, ...hoster]), [100, 101]);
  t.deepEqual(choose([...others, ...hoster.slice(0, 99)]), []);
  t.deepEqual(choose([...others, ...hoster], connection('2001:db8:1:ffff::9', { openedAt: NOW })), []);
});

test('of many connections, one in a hundred is closed at a time', (t) => {
  const idle = Array.from({ length: 999 }, () => connection('192.0.2.2', { answer: 'finished' }));
  t.deepEqual(choose(idle), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});
