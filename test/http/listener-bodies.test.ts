import { once } from 'node:events';
import { connect } from 'node:net';
import test from 'ava';
import { BODY_LIMIT_BYTES, open, post } from './counting-listener.ts';
import { exchange } from './raw-client.ts';

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
