import { Agent } from 'node:http';
import test from 'ava';
import { ask } from './ask-gate.ts';
import { openApp, openGate } from './open-gate.ts';

test('a GET that meets a connection the upstream has just closed is sent again and never lost', async (t) => {
  const app = await openApp(t, (_request, response) => {
    response.end('ok', () => setTimeout(() => response.socket?.destroy(), 5));
  });
  const gate = await openGate(t, app.port);
  const agent = new Agent({ keepAlive: true });
  t.teardown(() => agent.destroy());
  const failures: number[] = [];
  for (let i = 0; i < 480; i++) {
    const { status } = await ask(gate.url, { agent });
    if (status !== 200) failures.push(status);
    await new Promise((resolve) => setTimeout(resolve, i % 7));
  }
  t.deepEqual(failures, []);
});

test('a POST is never sent twice, even when its connection dies before any answer', async (t) => {
  const seen = new Map<string, number>();
  const app = await openApp(t, (request, response) => {
    const id = String(request.headers['x-id']);
    seen.set(id, (seen.get(id) ?? 0) + 1);
    request.resume();
    // Every third connection dies without an answer; the others close a moment after it.
    if (Number(id) % 3 === 0) request.socket.destroy();
    else response.end('ok', () => setTimeout(() => response.socket?.destroy(), 3));
  });
  const gate = await openGate(t, app.port);
  for (let i = 0; i < 200; i++) {
    const { status } = await ask(gate.url, { method: 'POST', headers: { 'X-Id': i } }, 'body');
    t.true(status === 200 || status === 502);
    if (i % 3 === 0) t.is(status, 502);
  }
  t.deepEqual(
    [...seen.values()].filter((times) => times > 1),
    [],
  );
});

test('a GET whose connection dies is repeated once at most, and never after a new connection', async (t) => {
  let requests = 0;
  const app = await openApp(t, (request) => {
    requests++;
    request.socket.destroy();
  });
  const gate = await openGate(t, app.port);
  t.is((await ask(gate.url)).status, 502);
  t.is(requests, 1);
});
