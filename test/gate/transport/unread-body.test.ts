import { request } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import { openGate, openRawApp } from './open-gate.ts';

/**
 * A server that reads no body: it takes each block of text with an empty line behind it for a request, until a request
 * ends the connection. So does cohttp after a GET.
 */
async function openCarelessApp(t: ExecutionContext): Promise<{ port: number; lines: string[] }> {
  const lines: string[] = [];
  const port = await openRawApp(t, (socket) => {
    let text = '';
    let isOver = false;
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
      for (let end = text.indexOf('\r\n\r\n'); end !== -1 && !isOver; end = text.indexOf('\r\n\r\n')) {
        const head = text.slice(0, end);
        text = text.slice(end + 4).replace(/^[0-9a-f]+\r\n/i, '');
        lines.push(head.split('\r\n', 1)[0] ?? '');
        isOver = /^connection: close$/im.test(head);
        socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 0\r\n${isOver ? 'Connection: close\r\n' : ''}\r\n`);
      }
      if (isOver) socket.end();
    });
  });
  return { port, lines };
}

const HIDDEN = 'POST /signup HTTP/1.1\r\nHost: a.example\r\nContent-Length: 0\r\n\r\n';

function send(url: string, method: string, headers: Record<string, string | number>, body = HIDDEN) {
  return new Promise<number>((resolve, reject) => {
    const outgoing = request(url, { method, headers, agent: false }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
    });
    outgoing.on('error', reject).end(body);
  });
}

const REQUESTS = ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'QUERY', 'PROPFIND']
  .flatMap((method) => [false, true].map((isChunked) => ({ method, isChunked, size: 0 })))
  // More than a small body is streamed.
  .flatMap((one) => [one, { ...one, size: 400_000 }])
  .concat(['PUT', 'PATCH'].map((method) => ({ method, isChunked: true, size: 400_000 })));

for (const { method, isChunked, size } of REQUESTS) {
  const framing = isChunked ? 'in chunks' : 'with a length';
  test(`an app that leaves ${size} bytes of a ${method} ${framing} unread finds no request in them`, async (t) => {
    const app = await openCarelessApp(t);
    const gate = await openGate(t, app.port);
    const body = HIDDEN + 'x'.repeat(size);
    const headers = isChunked ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': body.length };
    await send(`${gate.url}/nope`, method, headers, body).catch(() => 0);
    await send(`${gate.url}/after`, 'GET', {}, '');
    t.deepEqual(app.lines, [`${method} /nope HTTP/1.1`, 'GET /after HTTP/1.1']);
  });
}

test('requests without a body, and those whose body every server reads, keep the connection', async (t) => {
  const heads: string[] = [];
  const port = await openRawApp(t, (socket) => {
    socket.on('data', (bytes) => {
      const text = bytes.toString('latin1');
      if (!/^[A-Z]+ \//.test(text)) return;
      heads.push(text);
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    });
  });
  const gate = await openGate(t, port);
  const none = await send(gate.url, 'GET', {}, '');
  t.is(none, 200);
  for (const method of ['POST', 'PUT', 'PATCH']) await send(gate.url, method, { 'Content-Length': 1 }, 'x');
  await send(gate.url, 'POST', { 'Transfer-Encoding': 'chunked' }, 'x');
  await send(gate.url, 'DELETE', {}, '');
  t.is(heads.length, 6);
  for (const head of heads) t.regex(head, /^connection: keep-alive\r$/im);
});
