import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import test from 'ava';
import { until } from '../helpers/until.ts';
import { exchange } from '../http/raw-client.ts';
import { openGateServer } from './gate-server.ts';

const BEHIND_A_PROXY = { proxy: { trusted_proxies: ['127.0.0.1'] } };

function signup(email: string, from: string): string {
  const body = JSON.stringify({ email });
  const head = `POST /signup HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${from}\r\nContent-Type: application/json`;
  return `${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

test('whoever signs up during a flood from one address is judged before most of the flood', async (t) => {
  const server = await openGateServer(t, BEHIND_A_PROXY);
  const sockets: Socket[] = [];
  for (let i = 0; i < 201; i++) {
    const socket = connect(server.port, '127.0.0.1');
    sockets.push(socket.on('error', () => {}));
    t.teardown(() => socket.destroy());
    await once(socket, 'connect');
  }
  sockets.forEach((socket, i) => {
    const isLast = i === sockets.length - 1;
    const from = isLast ? '198.51.100.7' : '203.0.113.9';
    socket.write(signup(isLast ? 'ada@company.example' : `flood${i}@company.example`, from));
  });
  await until(() => server.judged.length === sockets.length);
  const place = server.judged.findIndex(({ ip }) => ip.text === '198.51.100.7');
  t.true(place >= 0 && place < 100, `judged as number ${place + 1} of 201`);
});

test('a sender with too many waiting signups is refused after a while, and others are judged', async (t) => {
  const server = await openGateServer(t, {
    ...BEHIND_A_PROXY,
    isLate: (sender) => ['203.0.113.9', '2001:db8:0:1::'].includes(sender),
  });
  const email = 'ada@company.example';
  for (const from of ['203.0.113.9', '2001:db8:0:1::5']) {
    const started = performance.now();
    const { answers, end } = await exchange(server.port, signup(email, from) + signup(email, from));
    t.deepEqual(
      answers.map(({ status, headers }) => [status, headers.connection, headers['retry-after']]),
      [[503, 'close', '1']],
      'one answer, and the connection ends',
    );
    t.is(end, 'closed');
    t.true(performance.now() - started >= 1_900, 'a flood that is refused at once would come again at once');
  }
  const { answers } = await exchange(server.port, signup(email, '203.0.113.8'), { answers: 1 });
  t.is(answers[0]?.status, 201);
  const passed = await fetch(`${server.url}/elsewhere`, { headers: { 'x-forwarded-for': '203.0.113.9' } });
  t.is(passed.status, 201);
  t.is(server.judged.length, 1);
});
