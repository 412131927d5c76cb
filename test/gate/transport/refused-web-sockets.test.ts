import test from 'ava';
import { parseCidr } from '../../../src/addresses/ip-address.ts';
import { exchange } from '../../http/raw-client.ts';
import { all, ask, openClient, openEchoApp } from './echo-app.ts';
import { openGate, openRawApp, until } from './open-gate.ts';

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

/** Varnish pipes such a request: it passes on all further bytes of the client, with any `X-Forwarded-For`. */
const PIPED: readonly (readonly [title: string, head: string])[] = [
  ...ORDINARY,
  ['a protocol that `Connection` does not name', 'GET /ws HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n\r\n'],
];
const trustedProxies = [parseCidr('127.0.0.0/8')].filter((cidr) => cidr !== null);

for (const [title, head] of PIPED) {
  test(`a proxy that opened a tunnel gets one answer through it: ${title}`, async (t) => {
    const app = await openEchoApp(t);
    const gate = await openGate(t, app.port, {
      upgrades: (target) => target !== '/signup',
      trust: { trustedProxies, clientIpHeader: 'x-forwarded-for' },
    });
    const hidden = 'GET /hidden HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n';
    const { answers, end } = await exchange(gate.port, `${head}${hidden}`);
    t.deepEqual(
      answers.map(({ status, headers }) => [status, headers.connection]),
      [[200, 'close']],
    );
    t.is(end, 'closed');
    t.is(app.requests.length, 1);
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
