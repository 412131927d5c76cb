import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { endWithText } from '../../src/http/end-answer.ts';
import { exchange } from './raw-client.ts';

async function serve(t: ExecutionContext, listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

for (const encoding of ['latin1', 'utf8'] as const) {
  test(`an answer in ${encoding} is complete and leaves its connection usable`, async (t) => {
    const body = Buffer.from('caf\u00e9', encoding);
    const port = await serve(t, (_request, response) => {
      response.writeHead(200, { 'Content-Length': body.length });
      endWithText(response, 'caf\u00e9', encoding);
    });
    const { answers } = await exchange(port, GET + GET + GET, { answers: 3 });
    t.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200],
    );
    for (const answer of answers) t.deepEqual(Buffer.from(answer.body, 'latin1'), body);
  });
}

test('an answer in chunks is complete and leaves its connection usable', async (t) => {
  const port = await serve(t, (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/plain' });
    endWithText(response, 'in chunks', 'latin1');
  });
  for (const _ of [1, 2]) {
    const answer = await fetch(`http://127.0.0.1:${port}/`);
    t.is(answer.headers.get('transfer-encoding'), 'chunked');
    t.is(await answer.text(), 'in chunks');
  }
});

test('an answer behind an unfinished one waits for its turn', async (t) => {
  const port = await serve(t, (request, response) => {
    const answer = () => {
      response.writeHead(200, { 'Content-Length': 2 });
      endWithText(response, request.url === '/late' ? 'l1' : 'e2', 'latin1');
    };
    if (request.url === '/late') setImmediate(answer);
    else answer();
  });
  const { answers } = await exchange(port, GET.replace('/', '/late') + GET, { answers: 2 });
  t.deepEqual(
    answers.map(({ body }) => body),
    ['l1', 'e2'],
  );
});

test('an answer whose client has left does not fail, and the next one is finished', async (t) => {
  let leave = () => {};
  let finished = 0;
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const port = await serve(t, (request, response) => {
    response.writeHead(200, { 'Content-Length': 2 }).on('finish', () => finished++);
    if (request.url === '/') {
      endWithText(response, 'ok', 'latin1');
      return;
    }
    response.on('close', () => {
      endWithText(response, 'ok', 'latin1');
      leave();
    });
    leaver.destroy();
  });
  const leaver = connect(port, '127.0.0.1', () => leaver.write(GET.replace('/', '/left')));
  await left;
  const { answers } = await exchange(port, GET + GET, { answers: 2 });
  t.is(answers.length, 2);
  t.is(finished, 2);
});
