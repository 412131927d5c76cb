import { connect } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import type { ServerConfig } from '../../src/config/config.ts';
import { openListener } from '../../src/http/listener.ts';
import { isEncrypted, parseProxyHeader, peerAddress } from '../../src/http/proxy-protocol.ts';
import { rounds } from '../helpers/rounds.ts';
import { LIMITS } from './limits.ts';
import { exchange } from './raw-client.ts';

const SIGNATURE = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');

function version2({
  command = 0x21,
  family = 0x11,
  payload,
}: {
  command?: number;
  family?: number;
  payload: Buffer;
}) {
  const fixed = Buffer.from([command, family, payload.length >> 8, payload.length & 0xff]);
  return Buffer.concat([SIGNATURE, fixed, payload]);
}
const V4 = Buffer.from([198, 51, 100, 7, 10, 0, 0, 1, 0x1f, 0x90, 0, 80]);
const V6 = Buffer.concat([
  Buffer.from('20010db8000000000000000000000007', 'hex'),
  Buffer.alloc(16),
  Buffer.from([1, 2, 3, 4]),
]);

const GOOD: readonly (readonly [title: string, header: Buffer, source: string | null])[] = [
  ['version 1 with IPv4', Buffer.from('PROXY TCP4 198.51.100.7 10.0.0.1 8080 80\r\n'), '198.51.100.7'],
  ['version 1 with IPv6', Buffer.from('PROXY TCP6 2001:db8::7 ::1 8080 80\r\n'), '2001:db8::7'],
  ['version 1, unknown', Buffer.from('PROXY UNKNOWN\r\n'), null],
  ['version 1, unknown with words', Buffer.from('PROXY UNKNOWN ff::1 ff::2 1 2\r\n'), null],
  ['version 2 with IPv4', version2({ payload: V4 }), '198.51.100.7'],
  ['version 2 with IPv6', version2({ family: 0x21, payload: V6 }), '2001:db8:0:0:0:0:0:7'],
  [
    'version 2 with more than addresses',
    version2({ payload: Buffer.concat([V4, Buffer.alloc(90, 4)]) }),
    '198.51.100.7',
  ],
  [
    'version 2, by TLS',
    version2({ payload: Buffer.concat([V4, Buffer.from([1, 0, 2, 0x68, 0x32, 0x20, 0, 5, 1, 0, 0, 0, 0])]) }),
    '198.51.100.7',
  ],
  [
    'version 2, not by it',
    version2({ payload: Buffer.concat([V4, Buffer.from([0x20, 0, 5, 0, 0, 0, 0, 0])]) }),
    '198.51.100.7',
  ],
  ['version 2, the proxy itself', version2({ command: 0x20, family: 0, payload: Buffer.alloc(0) }), null],
  ['version 2, a Unix socket', version2({ family: 0x31, payload: Buffer.alloc(216) }), null],
];

const BAD: readonly (readonly [title: string, header: Buffer])[] = [
  ['no header', Buffer.from('GET / HTTP/1.1\r\n')],
  ['version 1 in lower case', Buffer.from('proxy TCP4 1.2.3.4 1.2.3.4 1 2\r\n')],
  ['an address of the other family', Buffer.from('PROXY TCP4 2001:db8::7 ::1 8080 80\r\n')],
  ['an octal address', Buffer.from('PROXY TCP4 0198.51.100.7 10.0.0.1 8080 80\r\n')],
  ['no destination', Buffer.from('PROXY TCP4 198.51.100.7\r\n')],
  ['a port too many', Buffer.from('PROXY TCP4 198.51.100.7 10.0.0.1 8080 80 80\r\n')],
  ['a port too high', Buffer.from('PROXY TCP4 198.51.100.7 10.0.0.1 65536 80\r\n')],
  ['another protocol', Buffer.from('PROXY UDP4 198.51.100.7 10.0.0.1 8080 80\r\n')],
  ['a line without end', Buffer.from(`PROXY TCP4 ${'1'.repeat(200)}`)],
  ['version 3', version2({ command: 0x31, payload: V4 })],
  ['an unknown command', version2({ command: 0x22, payload: V4 })],
  ['an unknown family', version2({ family: 0x41, payload: V4 })],
  ['datagrams', version2({ family: 0x12, payload: V4 })],
  ['addresses cut short', version2({ payload: V4.subarray(0, 11) })],
  ['more than real proxies send', version2({ payload: Buffer.alloc(5_000) })],
];

for (const [title, header, source] of GOOD) {
  test(`a PROXY header is read: ${title}`, (t) => {
    const rest = Buffer.from('GET / HTTP/1.1\r\n');
    const byTls = title.endsWith('by TLS');
    const expected = { kind: 'header', lengthBytes: header.length, source, isEncrypted: byTls } as const;
    t.deepEqual(parseProxyHeader(Buffer.concat([header, rest])), expected);
    for (let i = 0; i < header.length; i++)
      t.is(parseProxyHeader(header.subarray(0, i)).kind, 'incomplete', `${i} bytes`);
  });
}

for (const [title, header] of BAD) {
  test(`a PROXY header is refused: ${title}`, (t) => {
    t.is(parseProxyHeader(header).kind, 'invalid');
  });
}

test('any bytes are read, refused or awaited within a limit', (t) => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc
      .tuple(
        fc.constantFrom(...GOOD.map(([, header]) => header)),
        fc.uint8Array({ maxLength: 60 }),
        fc.nat(40),
      )
      .map(([header, noise, at]) =>
        Buffer.concat([header.subarray(0, at), noise, header.subarray(at + noise.length)]),
      ),
  );
  fc.assert(
    fc.property(bytes, (noise) => {
      const header = parseProxyHeader(Buffer.from(noise));
      if (header.kind === 'header') t.true(header.lengthBytes <= noise.length);
      const padded = parseProxyHeader(Buffer.concat([Buffer.from(noise), Buffer.alloc(5_000, 0x20)]));
      t.not(padded.kind, 'incomplete');
    }),
    { numRuns: rounds(2_000) },
  );
});

async function open(t: ExecutionContext, speaks: boolean, limits: Partial<ServerConfig> = {}) {
  const listener = await openListener({
    listen: { host: '127.0.0.1', port: 0 },
    limits: { ...LIMITS, ...limits },
    speaksProxyProtocol: () => speaks,
    handler: (request, response) => {
      request.resume();
      request.on('end', () =>
        response.end(`${isEncrypted(request.socket) ? 'TLS ' : ''}${peerAddress(request.socket)}`),
      );
    },
  });
  t.teardown(() => listener.close());
  return listener.address.port;
}

const GET = Buffer.from('GET / HTTP/1.1\r\nHost: a\r\n\r\n');

test('requests behind a PROXY header come from the address that it names, in one packet or in many', async (t) => {
  const port = await open(t, true);
  for (const [title, header, source] of GOOD) {
    const whole = await exchange(port, Buffer.concat([header, GET, GET]), { answers: 2 });
    const expected = `${title.endsWith('by TLS') ? 'TLS ' : ''}${source ?? '127.0.0.1'}`;
    t.deepEqual(
      whole.answers.map(({ body }) => body),
      [expected, expected],
    );
  }
  const [, header] = GOOD[4] ?? ['', Buffer.alloc(0)];
  const body = Buffer.alloc(300_000, 'x');
  const post = Buffer.concat([
    Buffer.from(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n`),
    body,
  ]);
  const text = await new Promise<string>((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const all = Buffer.concat([header, post]);
    const cuts = [0, 1, 5, 13, 17, 27, 28, 29, 60, all.length];
    const send = (i: number) => {
      socket.write(
        all.subarray(cuts[i], cuts[i + 1]),
        () => i + 2 < cuts.length && setImmediate(send, i + 1),
      );
    };
    socket.on('connect', () => send(0));
    socket.on('data', (chunk) => {
      resolve(String(chunk));
      socket.destroy();
    });
  });
  t.regex(text, /198\.51\.100\.7$/);
});

test('a trusted proxy that does not speak the protocol is refused', async (t) => {
  const port = await open(t, true);
  for (const [, header] of BAD) {
    const { answers, end } = await exchange(port, Buffer.concat([header, GET]));
    t.is(answers[0]?.status, 400);
    t.is(end, 'closed');
  }
});

test('an untrusted peer may not use the protocol', async (t) => {
  const port = await open(t, false);
  const { answers } = await exchange(
    port,
    Buffer.concat([Buffer.from('PROXY TCP4 6.6.6.6 10.0.0.1 1 2\r\n'), GET]),
  );
  t.is(answers[0]?.status, 400);
  t.is((await exchange(port, GET, { answers: 1 })).answers[0]?.body, '127.0.0.1');
});

test('a header that does not come in time ends the connection', async (t) => {
  const port = await open(t, true, { head_timeout: 50 });
  const { answers, end } = await exchange(port, 'PROXY TCP4 ');
  t.is(answers[0]?.status, 400);
  t.is(end, 'closed');
});

test('a connection that ends before its header leaves nothing behind', async (t) => {
  const port = await open(t, true);
  const socket = connect(port, '127.0.0.1', () => socket.end('PROXY'));
  socket.resume();
  await new Promise((resolve) => socket.on('close', resolve));
  t.is(
    (await exchange(port, Buffer.concat([Buffer.from('PROXY UNKNOWN\r\n'), GET]), { answers: 1 })).answers
      .length,
    1,
  );
});
