import { get } from 'node:http';
import { connect, type Socket } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { openApp, openGate, until } from './open-gate.ts';

function ask(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
    }).on('error', reject);
  });
}

function send(t: ExecutionContext, port: number, text: string): Socket {
  const socket = connect(port, '127.0.0.1', () => socket.write(text));
  socket.on('error', () => {});
  t.teardown(() => socket.destroy());
  return socket;
}

const SLOW_UPLOAD = 'POST /up HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\na';

test('slow uploads leave connections to other requests', async (t) => {
  let uploads = 0;
  const app = await openApp(t, (request, response) => {
    if (request.method === 'POST') uploads++;
    else response.end('ok');
    request.resume();
  });
  const gate = await openGate(t, app.port, { maxConnections: 4 });
  for (let i = 0; i < 15; i++) send(t, gate.port, SLOW_UPLOAD);
  await until(() => uploads === 3);
  const statuses = await Promise.all(Array.from({ length: 4 }, () => ask(gate.url)));
  t.deepEqual(statuses, [200, 200, 200, 200]);
  t.is(uploads, 3);
});

test('the slowest upload gives its connection up when another upload waits for it', async (t) => {
  const begun: string[] = [];
  const app = await openApp(t, (request, response) => {
    begun.push(request.url ?? '');
    request.resume().on('end', () => response.end('whole'));
  });
  const gate = await openGate(t, app.port, { maxConnections: 1, timeouts: { connect: 10_000 } });
  const slow = send(t, gate.port, SLOW_UPLOAD).setEncoding('latin1');
  let told = '';
  slow.on('data', (text) => {
    told += text;
  });
  await until(() => begun.length === 1);
  const body = 'b'.repeat(200_000);
  const answer = await fetch(`${gate.url}/other`, { method: 'POST', body });
  t.is(await answer.text(), 'whole');
  t.deepEqual(begun, ['/up', '/other']);
  await until(() => slow.closed);
  t.regex(told, /^HTTP\/1\.1 408 .*request_timeout/s);
});

test('a download that its client does not take gives its connection up when others wait for it', async (t) => {
  const app = await openApp(t, (request, response) => {
    if (request.url !== '/endless') {
      response.end('ok');
      return;
    }
    const piece = Buffer.alloc(1_000_000, 'x');
    const more = () => {
      while (!response.destroyed && response.write(piece));
      response.once('drain', more);
    };
    more();
  });
  const gate = await openGate(t, app.port, { maxConnections: 1, timeouts: { connect: 10_000 } });
  const lazy = send(t, gate.port, 'GET /endless HTTP/1.1\r\nHost: a\r\n\r\n');
  lazy.pause();
  await until(() => gate.transport.openConnections() === 1);
  t.is(await ask(gate.url), 200);
  lazy.resume();
  await until(() => lazy.closed);
  t.is(gate.outcomes.length, 2);
});

test('a slow client keeps its connection while no request waits', async (t) => {
  const app = await openApp(t, (request, response) => {
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    request.on('end', () => response.end(String(bytes)));
  });
  const gate = await openGate(t, app.port, { maxConnections: 2 });
  const slow = send(t, gate.port, SLOW_UPLOAD).setEncoding('latin1');
  const startedAt = performance.now();
  while (performance.now() - startedAt < 2_500) t.is(await ask(gate.url), 200);
  let told = '';
  slow.on('data', (text) => {
    told += text;
  });
  slow.write('b'.repeat(999_999));
  await until(() => told.endsWith('1000000'));
  t.regex(told, /^HTTP\/1\.1 200 /);
});

for (const first of ['/never', '/now']) {
  test(`a client that disconnects with queued answers leaves no resources behind: ${first}`, async (t) => {
    const begun: string[] = [];
    const app = await openApp(t, (request, response) => {
      begun.push(request.url ?? '');
      if (request.url === '/now') response.end('now');
      if (request.url === '/large') response.end(Buffer.alloc(20_000_000));
    });
    const gate = await openGate(t, app.port, { maxConnections: 4 });
    const get = (target: string) => `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`;
    for (let i = 1; i <= 8; i++) {
      const socket = send(t, gate.port, `${get(first)}${get('/large')}${get('/large')}`);
      await until(() => begun.includes('/large'));
      begun.length = 0;
      socket.resetAndDestroy();
      await until(() => gate.outcomes.length === 3 * i);
    }
    t.is(await ask(`${gate.url}/now`), 200);
    await gate.listener.close();
    await gate.transport.close();
    t.is(gate.transport.openConnections(), 0);
  });
}
