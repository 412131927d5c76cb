import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import type { ServerConfig } from '../../src/config/config.ts';
import { type Listener, openListener } from '../../src/http/listener.ts';
import { ProblemError } from '../../src/http/problem.ts';
import { readBody } from '../../src/http/read-body.ts';
import { problemReply, sendReply } from '../../src/http/reply.ts';
import { LIMITS } from './limits.ts';
import { exchange } from './raw-client.ts';

const BODY_LIMIT_BYTES = 1_000;

/** Reads the body and returns its length; `/early` answers without reading it. */
function counting(limits: ServerConfig): RequestListener {
  return (request, response) => {
    if (request.url === '/early') {
      sendReply(request, response, problemReply(new ProblemError('not_found', 'Nothing.'), 'id'));
      return;
    }
    readBody(request, response, {
      limitBytes: BODY_LIMIT_BYTES,
      timeoutMs: limits.body_timeout,
      minBytesPerSecond: limits.min_body_rate,
    }).then(
      (body) => sendReply(request, response, { status: 200, headers: [], body: String(body.length) }),
      (error: unknown) => {
        if (error instanceof ProblemError) sendReply(request, response, problemReply(error, 'id'));
      },
    );
  };
}

async function open(t: ExecutionContext, limits: Partial<ServerConfig> = {}, handler?: RequestListener) {
  const all = { ...LIMITS, ...limits };
  const listener = await openListener({
    listen: { host: '127.0.0.1', port: 0 },
    limits: all,
    handler: handler ?? counting(all),
  });
  t.teardown(() => listener.close());
  return listener;
}

const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`;
const post = (body: string, more = '') =>
  `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n${more}\r\n${body}`;

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

test('a body of exactly the limit is read; one more byte is too large and ends the connection', async (t) => {
  const { address } = await open(t);
  const exact = await exchange(address.port, post('x'.repeat(BODY_LIMIT_BYTES)), { answers: 1 });
  t.is(exact.answers[0]?.body, String(BODY_LIMIT_BYTES));
  const over = await exchange(address.port, post('x'.repeat(BODY_LIMIT_BYTES + 1)), { answers: 1 });
  t.is(over.answers[0]?.status, 413);
  t.is(over.answers[0]?.headers.connection, 'close');
});

test('chunks that add up to too much are refused when they do', async (t) => {
  const { address } = await open(t);
  const chunk = `${(600).toString(16)}\r\n${'x'.repeat(600)}\r\n`;
  const head = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
  const { answers, end } = await exchange(address.port, `${head}${chunk}${chunk}0\r\n\r\n`);
  t.is(answers[0]?.status, 413);
  t.is(answers[0]?.headers.connection, 'close');
  t.is(end, 'closed');
});

test('ten megabytes announced are refused before they come, and the answer is read', async (t) => {
  const { address } = await open(t);
  const head = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10000000\r\n\r\n';
  const { answers } = await exchange(
    address.port,
    Buffer.concat([Buffer.from(head), Buffer.alloc(10_000_000)]),
  );
  t.is(answers[0]?.status, 413);
  t.is(answers[0]?.headers.connection, 'close');
});

test('a sender that reads only after its thirty megabytes still gets the refusal', async (t) => {
  const { address } = await open(t);
  const socket = connect({ port: address.port, host: '127.0.0.1' });
  t.teardown(() => socket.destroy());
  socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 30000000\r\n\r\n');
  socket.on('error', () => {});
  const failure = await new Promise<unknown>((resolve) => socket.write(Buffer.alloc(30_000_000), resolve));
  t.falsy(failure);
  const [answer] = await Promise.race([once(socket, 'data'), once(socket, 'close')]);
  t.regex(String(answer), /^HTTP\/1\.1 413 /);
});

test('a small unread body does not cost the connection', async (t) => {
  const { address } = await open(t);
  const early = 'POST /early HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello';
  const { answers } = await exchange(address.port, early + post('abc'), { answers: 2 });
  t.deepEqual(
    answers.map(({ status, body }) => (status === 200 ? body : status)),
    [404, '3'],
  );
});

test('a body with an expectation is requested when the handler reads it, and not otherwise', async (t) => {
  const { address } = await open(t);
  const held = (path: string) =>
    `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n`;
  const lines = await new Promise<string>((resolve) => {
    const socket = connect(address.port, '127.0.0.1', () => socket.write(held('/')));
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString();
      if (text.endsWith('\r\n\r\n')) socket.write('hello');
      if (text.endsWith('5')) socket.destroy();
    });
    socket.on('close', () => resolve(text));
  });
  t.regex(lines, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
  const refused = await exchange(address.port, held('/early'));
  t.is(refused.answers[0]?.status, 404);
  t.is(refused.end, 'closed');
});

test('a stalled body ends with 408', async (t) => {
  const { address } = await open(t, { body_timeout: 60 });
  const { answers, end } = await exchange(
    address.port,
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 900\r\n\r\nx',
  );
  t.is(answers[0]?.status, 408);
  t.is(JSON.parse(answers[0]?.body ?? '').code, 'request_timeout');
  t.not(end, 'open');
});

test('a body that takes longer but makes progress is read to its end', async (t) => {
  const [pieces, pauseMs] = [9, 60];
  // A rate that a busy machine keeps too.
  const limits = { body_timeout: 300, min_body_rate: 1 };
  t.true(pieces * pauseMs > limits.body_timeout, 'longer than the time that any body may take');
  const { address } = await open(t, limits);
  let left = pieces;
  const status = await new Promise<number>((resolve) => {
    const socket = connect(address.port, '127.0.0.1', () => {
      socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${pieces * 100}\r\n\r\n`);
      const drip = setInterval(() => {
        socket.write('x'.repeat(100));
        if (--left === 0) clearInterval(drip);
      }, pauseMs);
      socket.once('close', () => clearInterval(drip));
    });
    socket.on('data', (chunk) => {
      socket.destroy();
      resolve(Number(chunk.toString().slice(9, 12)));
    });
  });
  t.is(status, 200);
  t.is(left, 0, 'answered after the last piece');
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
