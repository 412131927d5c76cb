import { once } from 'node:events';
import { connect } from 'node:net';
import test from 'ava';
import { exchange } from '../http/raw-client.ts';
import { openGateServer } from './gate-server.ts';
import { post } from './signup-post.ts';

test('of a blocked signup that waits for 100 Continue no byte reaches the app', async (t) => {
  const server = await openGateServer(t);
  const request = post('/signup', 'high@company.example', ['Expect: 100-continue']);
  const { answers } = await exchange(server.port, request, { answers: 1 });
  t.is(answers[0]?.status, 403);
  t.is(server.upstream.connections, 0);
});

test('of blocked pipelined signups no byte reaches the app, and the requests after them are served in order', async (t) => {
  const server = await openGateServer(t);
  const requests = [
    post('/signup', 'high@company.example'),
    post('/signup', 'high@other.example'),
    post('/elsewhere', 'high@company.example'),
    post('/signup', 'high@third.example'),
  ];
  const { answers } = await exchange(server.port, requests.join(''), { answers: 4 });
  t.deepEqual(
    answers.map(({ status }) => status),
    [403, 403, 201, 403],
  );
  t.deepEqual(
    server.upstream.requests.map(({ url }) => url),
    ['/elsewhere'],
  );
});

test('a signup in pieces, and one in chunks, is judged and forwarded complete', async (t) => {
  const server = await openGateServer(t);
  const socket = connect({ port: server.port, host: '127.0.0.1' });
  const request = post('/signup', 'ada@company.example');
  for (const piece of [request.slice(0, 40), request.slice(40, -12), request.slice(-12)]) {
    socket.write(piece);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await once(socket, 'data');
  socket.destroy();
  const chunked =
    'POST /signup HTTP/1.1\r\nHost: gate.example\r\nContent-Type: application/x-www-form-urlencoded\r\n' +
    'Transfer-Encoding: chunked\r\n\r\n6\r\nemail=\r\n13\r\nada@company.example\r\n0\r\n\r\n';
  t.is((await exchange(server.port, chunked, { answers: 1 })).answers[0]?.status, 201);
  const [, arrived] = server.upstream.requests;
  t.is(arrived?.body.toString(), 'email=ada@company.example');
  t.is(arrived?.headers['content-length'], '25');
  t.false('transfer-encoding' in (arrived?.headers ?? {}));
  t.is(server.judged.length, 2);
});

test('the signup of a client that disconnects before the judgement never reaches the app', async (t) => {
  let arrived = () => {};
  const judging = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  let goOn = () => {};
  const gone = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const server = await openGateServer(t, {
    examine: async () => {
      arrived();
      await gone;
      return { classification: 'personal_email', evidence: null, findings: [], incomplete: null };
    },
  });
  const socket = connect({ port: server.port, host: '127.0.0.1' });
  socket.write(post('/signup', 'ada@company.example'));
  await judging;
  socket.destroy();
  await once(socket, 'close');
  // The gate's own end hears of it in one of the next turns.
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  goOn();
  t.is((await fetch(`${server.url}/elsewhere`)).status, 201);
  t.deepEqual(
    server.upstream.requests.map(({ url }) => url),
    ['/elsewhere'],
  );
});
