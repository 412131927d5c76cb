import { once } from 'node:events';
import { connect } from 'node:net';
import test from 'ava';
import { route } from '../helpers/routes.ts';
import { exchange } from '../http/raw-client.ts';
import { openGateServer } from './gate-server.ts';
import { post } from './signup-post.ts';

test('slow senders of large bodies make large signups wait, never ordinary ones', async (t) => {
  const server = await openGateServer(t, { routes: [route('/signup', { max_body: 100_000_000 })] });
  const head =
    'POST /signup HTTP/1.1\r\nHost: gate.example\r\nContent-Type: application/json\r\nContent-Length: 90000000\r\n\r\n';
  const slow = Array.from({ length: 2 }, () => connect({ port: server.port, host: '127.0.0.1' }));
  for (const socket of slow) {
    t.teardown(() => socket.destroy());
    socket.write(`${head}{`);
    await once(socket, 'connect');
  }
  const { answers } = await exchange(server.port, `${head}{`, { answers: 1 });
  t.is(answers[0]?.status, 503);
  t.is(answers[0]?.headers['retry-after'], '5');
  t.is((await server.signUp('ada@company.example')).status, 201);
});

test("with more lag more is refused: first signups, then the gate's own paths, then other requests", async (t) => {
  let timesLimit = 0;
  const server = await openGateServer(t, { lag: () => timesLimit });
  const ask = async () => {
    const answers = {
      gated: await server.signUp('ada@company.example'),
      own: await fetch(`${server.url}/.gatekeeper/verify/x`),
      pass: await fetch(`${server.url}/elsewhere`),
    };
    const shed = Object.entries(answers).filter(([, { status }]) => status === 503);
    for (const [, answer] of shed) {
      t.is(answer.headers.get('retry-after'), '1');
      t.is(((await answer.json()) as { code: string }).code, 'overloaded');
    }
    return shed.map(([kind]) => kind);
  };
  for (const [lag, refused] of [
    [1, []],
    [1.1, ['gated']],
    [2, ['gated']],
    [2.1, ['gated', 'own']],
    [5, ['gated', 'own']],
    [5.1, ['gated', 'own', 'pass']],
    [0, []],
  ] as const) {
    timesLimit = lag;
    const { length } = server.upstream.requests;
    t.deepEqual(await ask(), [...refused], `at ${lag} times the limit`);
    const forwarded = (['gated', 'pass'] as const).filter((kind) => !refused.some((name) => name === kind));
    t.is(server.upstream.requests.length - length, forwarded.length);
  }
  t.is(server.judged.length, 2, 'what is refused is not judged');
});

test('a request with a head to refuse is shed together with the signups', async (t) => {
  const server = await openGateServer(t, { lag: () => 1.5 });
  const request = post('/signup', 'ada@company.example', ['X-Original-URL: /signup', 'X-Original-URL: /x']);
  const { answers } = await exchange(server.port, request, { answers: 1 });
  t.is(answers[0]?.status, 503);
});

test('under a lag at which nothing passes, no WebSocket is opened', async (t) => {
  let timesLimit = 5;
  const server = await openGateServer(t, { lag: () => timesLimit });
  const request = { method: 'GET', url: '/socket', rawHeaders: [] } as unknown as Parameters<
    typeof server.gate.upgrades.accepts
  >[0];
  t.true(server.gate.upgrades.accepts(request));
  timesLimit = 6;
  t.false(server.gate.upgrades.accepts(request));
});
