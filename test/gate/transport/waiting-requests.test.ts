import { Agent } from 'node:http';
import { connect } from 'node:net';
import test from 'ava';
import { ask, problemOf } from './ask-gate.ts';
import { openApp, openGate, until } from './open-gate.ts';

const AT_ONCE = 400;

test('requests above the number of connections wait, and too many are refused', async (t) => {
  const waiting: (() => void)[] = [];
  const app = await openApp(t, (_request, response) => void waiting.push(() => response.end('ok')));
  const gate = await openGate(t, app.port, { maxConnections: 2, timeouts: { connect: 60_000 } });
  const agent = new Agent({ maxSockets: 50 });
  const answers = Array.from({ length: 12 }, () => ask(gate.url, { agent }));
  const refused = await Promise.race(answers);
  t.is(refused.status, 503);
  t.is(problemOf(refused).code, 'overloaded');
  t.is(refused.headers['retry-after'], '1');
  const drain = setInterval(() => waiting.splice(0).forEach((finish) => void finish()), 5);
  t.teardown(() => clearInterval(drain));
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  t.is(statuses.filter((status) => status === 200).length, 10);
  t.is(statuses.filter((status) => status === 503).length, 2);
});

test('a request that waits for a connection and is not served in time is refused', async (t) => {
  const app = await openApp(t, () => {});
  const gate = await openGate(t, app.port, { maxConnections: 1, timeouts: { connect: 100 } });
  const stuck = connect(gate.port, '127.0.0.1', () => stuck.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'));
  t.teardown(() => stuck.destroy());
  await until(() => gate.transport.openConnections() === 1);
  for (let i = 0; i < 3; i++) t.is((await ask(gate.url)).status, 503);
  const [line, ...more] = gate.logged;
  t.regex(line ?? '', /^proxy\.max_upstream_connections is reached/, 'said once in a minute');
  t.deepEqual(more, []);
});

test('a crowd of requests gets a connection each, and requests after it are served when all of them have closed', async (t) => {
  const waiting: (() => void)[] = [];
  const app = await openApp(t, (_request, response) => {
    if (waiting.length === AT_ONCE) response.end('later');
    else waiting.push(() => response.setHeader('Connection', 'close').end('ok'));
  });
  const gate = await openGate(t, app.port, { maxConnections: 1_000 });
  const agent = new Agent({ maxSockets: AT_ONCE });
  t.teardown(() => agent.destroy());
  const answers = Array.from({ length: AT_ONCE }, () => ask(gate.url, { agent }));
  await until(() => waiting.length === AT_ONCE);
  t.is(gate.transport.openConnections(), AT_ONCE, 'each request has one');
  for (const finish of waiting) finish();
  t.true((await Promise.all(answers)).every(({ status }) => status === 200));
  await until(() => gate.transport.openConnections() === 0);
  for (let i = 0; i < 200; i++) t.is(String((await ask(gate.url, { agent })).body), 'later');
});
