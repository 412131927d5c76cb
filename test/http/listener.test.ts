import { connect } from 'node:net';
import test from 'ava';
import { type Listener, openListener } from '../../src/http/listener.ts';
import { sendReply } from '../../src/http/reply.ts';
import { open, post } from './counting-listener.ts';
import { LIMITS } from './limits.ts';
import { exchange } from './raw-client.ts';

const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`;

const REFUSED: readonly (readonly [title: string, payload: string, status: number, code: string])[] = [
  ['no Host', 'GET / HTTP/1.1\r\n\r\n', 400, 'bad_request'],
  ['two Hosts', 'GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n', 400, 'bad_request'],
  ['an empty Host', 'GET / HTTP/1.1\r\nHost: \r\n\r\n', 400, 'bad_request'],
  ['a Host with user information', 'GET / HTTP/1.1\r\nHost: u@a\r\n\r\n', 400, 'bad_request'],
  ['a Host with a path', 'GET / HTTP/1.1\r\nHost: a/b\r\n\r\n', 400, 'bad_request'],
  ['a list of Hosts', 'GET / HTTP/1.1\r\nHost: a, b\r\n\r\n', 400, 'bad_request'],
  ['no version', 'GET /\r\n\r\n', 400, 'bad_request'],
  ['HTTP/2.0', 'GET / HTTP/2.0\r\nHost: a\r\n\r\n', 400, 'bad_request'],
  ['GET of *', 'GET * HTTP/1.1\r\nHost: a\r\n\r\n', 400, 'bad_request'],
  ['garbage', 'xyz\r\n\r\n', 400, 'bad_request'],
  ['a TLS handshake', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400, 'bad_request'],
  ['two lengths', post('hello', 'Content-Length: 6\r\n'), 400, 'bad_request'],
  ['a length and chunks', post('hello', 'Transfer-Encoding: chunked\r\n'), 400, 'bad_request'],
  [
    'chunks in HTTP/1.0',
    'POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
    'bad_request',
  ],
  [
    'a coding before chunked',
    'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
    400,
    'bad_request',
  ],
  [
    'a chunk size with a sign',
    'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n+5\r\nhello\r\n0\r\n\r\n',
    400,
    'bad_request',
  ],
  ['CONNECT', 'CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n', 400, 'bad_request'],
  ['an unknown expectation', get('/', 'Expect: 200-ok\r\n'), 417, 'expectation_failed'],
  ['17 KB of head', get('/', `X-Long: ${'x'.repeat(17_000)}\r\n`), 431, 'header_too_large'],
  ['201 header lines', get('/', 'a: b\r\n'.repeat(200)), 431, 'header_too_large'],
  ['2,100 header lines', get('/', 'a:b\r\n'.repeat(2_100)), 431, 'header_too_large'],
];

for (const [title, payload, status, code] of REFUSED) {
  test(`${title} is refused with ${status} as a problem document, and the connection ends`, async (t) => {
    const { address } = await open(t);
    const { answers, end } = await exchange(address.port, Buffer.from(payload, 'latin1'));
    t.is(end, 'closed');
    t.is(answers.length, 1);
    t.is(answers[0]?.status, status);
    t.is(answers[0]?.headers['content-type'], 'application/problem+json');
    t.is(JSON.parse(answers[0]?.body ?? '').code, code);
  });
}

test('200 header lines are served', async (t) => {
  const { address } = await open(t);
  const { answers } = await exchange(address.port, get('/', 'a: b\r\n'.repeat(199)), { answers: 1 });
  t.is(answers[0]?.status, 200);
});

test('HTTP/1.0 needs no Host and is closed after its answer', async (t) => {
  const { address } = await open(t);
  const { answers, end } = await exchange(address.port, 'GET / HTTP/1.0\r\n\r\n');
  t.is(answers[0]?.status, 200);
  t.is(end, 'closed');
});

test('requests sent at once are answered in order on one connection', async (t) => {
  const { address } = await open(t);
  const { answers } = await exchange(address.port, post('a') + post('bb') + get('/') + post('cccc'), {
    answers: 4,
  });
  t.deepEqual(
    answers.map(({ body }) => body),
    ['1', '2', '0', '4'],
  );
});

test('a broken request after a valid one does not affect the answer to the valid one', async (t) => {
  const { address } = await open(t);
  const { answers, end } = await exchange(address.port, `${post('hello')}garbage\r\n\r\n`);
  t.deepEqual(
    answers.map(({ status }) => status),
    [200, 400],
  );
  t.is(end, 'closed');
});

test('a request after a refused one on the same connection is not served, because it could not be answered', async (t) => {
  const served: (string | undefined)[] = [];
  const { address } = await open(t, {}, (request, response) => {
    served.push(request.url);
    sendReply(request, response, { status: 200, headers: [], body: '' });
  });
  for (const [refused, status] of [
    [get('/refused', 'Host: b\r\n'), 400],
    [get('/refused', 'Expect: 200-ok\r\n'), 417],
  ] as const) {
    const { answers, end } = await exchange(address.port, get('/first') + refused + get('/after'));
    t.deepEqual(
      answers.map((answer) => answer.status),
      [200, status],
    );
    t.is(end, 'closed');
  }
  t.deepEqual(served, ['/first', '/first']);
});

test('a stalled head ends with 408', async (t) => {
  const { address } = await open(t, { head_timeout: 200 });
  const { answers, end } = await exchange(address.port, 'GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ');
  t.is(answers[0]?.status, 408);
  t.is(end, 'closed');
});

test('closing ends idle connections at once, sends Connection: close with running answers and waits for them', async (t) => {
  let release = () => {};
  const running = new Promise<void>((started) => {
    release = started;
  });
  let answer = () => {};
  const listener = await open(t, {}, (request, response) => {
    answer = () => sendReply(request, response, { status: 200, headers: [], body: 'done' });
    release();
  });
  const idle = exchange(listener.address.port, '');
  const inFlight = exchange(listener.address.port, get('/'));
  await running;
  const closed = listener.close();
  t.is((await idle).end, 'closed');
  answer();
  const { answers, end } = await inFlight;
  t.is(answers[0]?.body, 'done');
  t.is(answers[0]?.headers.connection, 'close');
  t.is(end, 'closed');
  await closed;
  t.is(await refusesConnections(listener), true);
});

test('closing ends requests that do not finish within the drain limit', async (t) => {
  let started = () => {};
  const running = new Promise<void>((resolve) => {
    started = resolve;
  });
  const listener = await open(t, { drain_timeout: 50 }, () => started());
  const stuck = exchange(listener.address.port, get('/'));
  await running;
  await listener.close();
  t.is((await stuck).answers.length, 0);
});

test('an address in use is reported, with the remedy', async (t) => {
  const { address } = await open(t);
  const error = await t.throwsAsync(openListener({ listen: address, limits: LIMITS, handler: () => {} }));
  t.regex(error?.message ?? '', /Cannot listen on 127\.0\.0\.1:\d+: another program uses this port/);
});

function refusesConnections({ address }: Listener): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address.port, '127.0.0.1');
    socket.on('connect', () => resolve(false)).on('error', () => resolve(true));
  });
}
