import { Agent } from 'node:http';
import test from 'ava';
import { answer, send, testConnectionReuse } from './connection-reuse.contract.ts';
import { openApp, openGate, until } from './open-gate.ts';

testConnectionReuse(10, 15);

test('a POST is not sent on a connection that the upstream is about to close for being idle', async (t) => {
  let connections = 0;
  const app = await openApp(t, (request, response) => {
    // An announced timeout would be respected; this upstream does not announce its timeout.
    response.setHeader('Connection', 'keep-alive');
    answer(request, response);
  });
  app.server.keepAliveTimeout = 200;
  app.server.on('connection', () => connections++);
  const gate = await openGate(t, app.port);
  const agent = new Agent({ keepAlive: true });
  t.teardown(() => agent.destroy());
  await send(gate, agent, 'POST');
  const since = performance.now();
  await until(() => gate.transport.openConnections() === 0);
  const idleTimeoutMs = performance.now() - since;
  await send(gate, agent, 'POST');
  await new Promise((resolve) => setTimeout(resolve, idleTimeoutMs * 0.7));
  await send(gate, agent, 'POST');
  t.is(connections, 3);
  await send(gate, agent, 'POST');
  t.is(connections, 3);
});

// Alone in its process: beside the others, closes are noticed so late that they count as idle timeouts.
test.serial('an upstream that closes unannounced after every answer loses no POST once known', async (t) => {
  const app = await openApp(t, (request, response) => {
    request.resume().on('end', () => response.end('ok', () => request.socket.destroy()));
  });
  const gate = await openGate(t, app.port);
  const agents = Array.from({ length: 4 }, () => new Agent({ keepAlive: true }));
  t.teardown(() => agents.forEach((agent) => void agent.destroy()));
  for (let i = 0; i < 20; i++) await send(gate, agents[0] ?? new Agent(), 'GET');
  for (let i = 0; i < 100; i++) {
    const statuses = await Promise.all(agents.map((agent) => send(gate, agent, 'POST')));
    t.deepEqual(new Set(statuses), new Set([200]));
  }
});
