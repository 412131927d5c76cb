import { createHash, randomBytes } from 'node:crypto';
import { get } from 'node:http';
import { connect } from 'node:net';
import test from 'ava';
import { parseCidr } from '../../../src/addresses/ip-address.ts';
import { IS_FULL_PROOF } from '../../helpers/full-proof.ts';
import { exchange } from '../../http/raw-client.ts';
import { ask } from './ask-gate.ts';
import { openApp, openGate, openRawApp, until } from './open-gate.ts';

test('a request and its answer pass in both directions', async (t) => {
  const app = await openApp(t, (request, response) => {
    response.writeHead(201, 'Made', { 'X-App': 'yes', 'Set-Cookie': ['a=1', 'b=2'] });
    request
      .on('data', (chunk) => response.write(`${request.method} ${request.url} ${chunk}`))
      .on('end', () => response.end());
  });
  const gate = await openGate(t, app.port);
  const answer = await ask(`${gate.url}/a//b?c=%2f`, { method: 'POST' }, 'hello');
  t.is(answer.status, 201);
  t.is(answer.body.toString(), 'POST /a//b?c=%2f hello');
  t.is(answer.headers['x-app'], 'yes');
  t.deepEqual(answer.headers['set-cookie'], ['a=1', 'b=2']);
  t.is(answer.headers.via, '1.1 gatekeeper');
  await until(() => gate.outcomes.length === 1);
  t.deepEqual(gate.outcomes[0], { status: 201, sent: true, problem: null });
});

for (const [title, size] of [
  ['small', 10],
  ['of a few packets', 100_000],
  ['large', IS_FULL_PROOF ? 100_000_000 : 10_000_000],
] as const) {
  for (const chunked of [false, true]) {
    test(`a body that is ${title} arrives unchanged, up and down, ${chunked ? 'in chunks' : 'with a length'}`, async (t) => {
      const app = await openApp(t, (request, response) => {
        if (!chunked) response.setHeader('Content-Length', size);
        request.pipe(response);
      });
      const gate = await openGate(t, app.port);
      const body = randomBytes(size);
      const headers: Record<string, string | number> = chunked
        ? { 'Transfer-Encoding': 'chunked' }
        : { 'Content-Length': size };
      const answer = await ask(gate.url, { method: 'POST', headers }, body);
      const sha = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
      t.is(sha(answer.body), sha(body));
    });
  }
}

test('the first event of a stream arrives while the stream goes on', async (t) => {
  let finish = () => {};
  const app = await openApp(t, (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.write('data: 1\n\n');
    finish = () => response.end('data: 2\n\n');
  });
  const gate = await openGate(t, app.port);
  const text = await new Promise<string>((resolve) => {
    get(gate.url, (answer) => {
      let text = '';
      answer.once('data', () => finish());
      answer.on('data', (chunk) => {
        text += chunk;
      });
      answer.on('end', () => resolve(text));
    });
  });
  t.is(text, 'data: 1\n\ndata: 2\n\n');
});

test('a head that arrives without its body is forwarded at once', async (t) => {
  let finish = () => {};
  const app = await openApp(t, (request, response) => {
    response.writeHead(200, request.url === '/length' ? { 'Content-Length': 3 } : {});
    response.flushHeaders();
    finish = () => response.end('end');
  });
  const gate = await openGate(t, app.port);
  for (const path of ['/length', '/chunks']) {
    const body = await new Promise<string>((resolve) => {
      get(gate.url + path, (answer) => {
        finish();
        answer.on('data', (chunk) => resolve(String(chunk)));
      });
    });
    t.is(body, 'end');
  }
});

for (const status of [204, 304, 200]) {
  test(`an answer without a body ends with its head: ${status === 200 ? 'HEAD' : status}`, async (t) => {
    const port = await openRawApp(t, (socket) => {
      socket.on(
        'data',
        () => void socket.write(`HTTP/1.1 ${status} Fine\r\nContent-Length: 100\r\nETag: "a"\r\n\r\n`),
      );
    });
    const gate = await openGate(t, port);
    const method = status === 200 ? 'HEAD' : 'GET';
    for (let i = 0; i < 3; i++) {
      const answer = await ask(gate.url, { method });
      t.is(answer.status, status);
      t.is(answer.headers['content-length'], status === 204 ? undefined : '100');
      t.is(answer.body.length, 0);
    }
  });
}

test('interim answers are dropped, the final answer is forwarded', async (t) => {
  const port = await openRawApp(t, (socket) => {
    socket.on('data', () => {
      socket.write(
        'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
      );
    });
  });
  const gate = await openGate(t, port);
  t.is((await ask(gate.url)).body.toString(), 'ok');
});

test('a client of HTTP/1.0 gets an answer that ends with the connection', async (t) => {
  const app = await openApp(t, (_request, response) => {
    response.write('a');
    response.end('b');
  });
  const gate = await openGate(t, app.port);
  const text = await new Promise<string>((resolve) => {
    const socket = connect(gate.port, '127.0.0.1', () => socket.write('GET / HTTP/1.0\r\n\r\n'));
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('end', () => resolve(text));
  });
  t.regex(text, /^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\nab$/);
  t.notRegex(text, /transfer-encoding/i);
});

test('a body that was read already is sent as it is, with the fields of the gate', async (t) => {
  const app = await openApp(t, (request, response) => {
    request.on('data', (chunk) =>
      response.end(`${request.headers['content-length']} ${request.headers['x-gatekeeper-score']} ${chunk}`),
    );
  });
  const gate = await openGate(t, app.port, {
    forward: { body: Buffer.from('other bytes'), headers: ['X-Gatekeeper-Score', '91'] },
  });
  t.is((await ask(gate.url, { method: 'POST' })).body.toString(), '11 91 other bytes');
});

test('a held signup is sent with its own head, whichever request releases it', async (t) => {
  const app = await openApp(t, (request, response) => {
    const { method, url, headers } = request;
    request.resume();
    response.end(JSON.stringify([method, url, headers.cookie, headers['x-forwarded-for'], headers['x-now']]));
  });
  const message = {
    method: 'PUT',
    target: '/signup?plan=1',
    rawHeaders: ['Host', 'app.example', 'Cookie', 'then=1', 'Content-Length', '99'],
    peer: { address: '198.51.100.7', trusted: false, secure: true },
  };
  const gate = await openGate(t, app.port, { forward: { body: Buffer.from('{}'), message } });
  const answer = await ask(`${gate.url}/.gatekeeper/verify/x`, { method: 'POST', headers: { 'X-Now': '1' } });
  t.deepEqual(JSON.parse(answer.body.toString()), ['PUT', '/signup?plan=1', 'then=1', '198.51.100.7', null]);
});

test('a trusted proxy is known by its address', async (t) => {
  const app = await openApp(t, (request, response) =>
    response.end(String(request.headers['x-forwarded-for'])),
  );
  const loopback = parseCidr('127.0.0.0/8');
  const trust = { trustedProxies: loopback ? [loopback] : [], clientIpHeader: 'x-forwarded-for' };
  const headers = { 'X-Forwarded-For': '198.51.100.7' };
  const trusting = await openGate(t, app.port, { trust });
  t.is((await ask(trusting.url, { headers })).body.toString(), '198.51.100.7, 127.0.0.1');
  const wary = await openGate(t, app.port);
  t.is((await ask(wary.url, { headers })).body.toString(), '127.0.0.1');
});

test('OPTIONS of the server as a whole is answered here', async (t) => {
  const gate = await openGate(t, 9);
  const { answers } = await exchange(gate.port, 'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n', { answers: 1 });
  t.is(answers[0]?.status, 204);
});

test('closing waits for running requests', async (t) => {
  let finish = () => {};
  const app = await openApp(t, (_request, response) => {
    finish = () => response.end('ok');
  });
  const gate = await openGate(t, app.port);
  const answer = ask(gate.url);
  await until(() => gate.transport.openConnections() === 1);
  const closed = gate.transport.close();
  t.is((await ask(gate.url)).status, 503);
  finish();
  t.is((await answer).status, 200);
  await closed;
  t.is(gate.transport.openConnections(), 0);
});
