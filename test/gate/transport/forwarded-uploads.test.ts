import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import test from 'ava';
import { exchange } from '../../http/raw-client.ts';
import { ask } from './ask-gate.ts';
import { openApp, openGate, until } from './open-gate.ts';

test('an early refusal of a large upload reaches the client', async (t) => {
  const app = await openApp(t, (_request, response) => {
    response.writeHead(413, { Connection: 'close', 'Content-Length': 9 });
    response.end('too large');
  });
  const gate = await openGate(t, app.port);
  // Streamed, and sent in one piece.
  for (const bytes of [900_000, 120_000]) {
    const head = Buffer.from(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${bytes}\r\n\r\n`);
    for (let i = 0; i < 10; i++) {
      const sent = Buffer.concat([head, Buffer.alloc(bytes)]);
      const { answers } = await exchange(gate.port, sent, { answers: 1 });
      t.is(answers[0]?.status, 413);
      t.is(answers[0]?.body, 'too large');
    }
  }
});

test('uploads of any size leave their connection to the next request', async (t) => {
  let connections = 0;
  const app = await openApp(t, (request, response) => {
    request.resume().on('end', () => response.end('ok'));
  });
  app.server.on('connection', () => {
    connections++;
  });
  const gate = await openGate(t, app.port);
  for (let i = 0; i < 40; i++) {
    const answer = await ask(gate.url, { method: 'POST' }, Buffer.alloc(i * 20_000));
    t.is(answer.status, 200);
  }
  t.is(connections, 1);
});

test('a stalled upload ends with 408, one that waits for the upstream does not', async (t) => {
  const app = await openApp(t, (request, response) => {
    request
      .on('error', () => {})
      .resume()
      .on('end', () => response.end('ok'));
  });
  const gate = await openGate(t, app.port, { limits: { body_timeout: 150 } });
  for (const begun of ['', 'x']) {
    const { answers } = await exchange(
      gate.port,
      `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 90000\r\n\r\n${begun}`,
    );
    t.is(answers[0]?.status, 408);
    t.is(JSON.parse(answers[0]?.body ?? '').code, 'request_timeout');
  }
});

test('an upload that moves may take longer than its time, whether it is waited for or streamed', async (t) => {
  const app = await openApp(t, (request, response) => {
    request.resume().on('end', () => response.end('whole'));
  });
  const gate = await openGate(t, app.port, { limits: { body_timeout: 600, min_body_rate: 1_000 } });
  for (const bytes of [6_000, 100_000, 200_000]) {
    const socket = connect(gate.port, '127.0.0.1').setEncoding('latin1');
    t.teardown(() => socket.destroy());
    let answer = '';
    socket.on('data', (text) => {
      answer += text;
    });
    socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${bytes}\r\n\r\n`);
    for (let i = 0; i < 6; i++) {
      socket.write('u'.repeat(bytes / 6 + (i === 0 ? bytes % 6 : 0)));
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
    await until(() => answer !== '');
    t.regex(answer, /^HTTP\/1\.1 200 /, `${bytes} bytes`);
  }
});

test('the gate sends 100 Continue itself, and does not forward the expectation', async (t) => {
  const app = await openApp(t, (request, response) => {
    request.on('data', (chunk) => response.end(`${request.headers.expect} ${chunk}`));
  });
  const gate = await openGate(t, app.port);
  const body = await new Promise<string>((resolve) => {
    const outgoing = httpRequest(gate.url, {
      method: 'POST',
      headers: { Expect: '100-continue', 'Content-Length': 5 },
    });
    outgoing.on('continue', () => outgoing.end('hello'));
    outgoing.on('response', (answer) => answer.on('data', (chunk) => resolve(String(chunk))));
    outgoing.flushHeaders();
  });
  t.is(body, 'undefined hello');
});
