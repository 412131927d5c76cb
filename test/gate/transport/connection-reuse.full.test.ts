import { Agent } from 'node:http';
import test from 'ava';
import { answer, send, testConnectionReuse } from './connection-reuse.contract.ts';
import { openApp, openGate, until } from './open-gate.ts';

testConnectionReuse(10, 15);

test('a POST is not sent on a connection that the upstream is about to close for being idle', async (t) => {
  let connections = 0;
  const app = await openApp(t, (request, response) => {
    // Announced, it would be heeded; this upstream keeps it to itself.
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
