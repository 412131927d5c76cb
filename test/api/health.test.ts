import test from 'ava';
import { openApiServer, SIGNUP } from './api-server.ts';
import { isProblem } from './is-problem.ts';

test('the health routes need no key: up, ready, not ready, draining', async (t) => {
  let readiness: { ready: true } | { ready: false; draining: boolean; because: string } = { ready: true };
  const server = await openApiServer(t, { readiness: () => readiness });
  const ask = (path: string) => server.call('GET', path, { key: null });
  t.deepEqual((await ask('/livez')).json, { status: 'ok' });
  t.deepEqual((await ask('/readyz')).json, { status: 'ok' });
  readiness = { ready: false, draining: false, because: 'The records do not answer.' };
  isProblem(t, await ask('/readyz'), 503, 'overloaded');
  readiness = { ready: false, draining: true, because: 'The server is shutting down.' };
  isProblem(t, await ask('/readyz'), 503, 'shutting_down');
  t.is((await ask('/livez')).status, 200);
});

test('a node with old feeds stays ready and names them', async (t) => {
  const server = await openApiServer(t, { readiness: () => ({ ready: true, oldFeeds: ['tor-exits'] }) });
  const answer = await server.call('GET', '/readyz', { key: null });
  t.is(answer.status, 200);
  t.deepEqual(answer.json, { status: 'ok', old_feeds: ['tor-exits'] });
});

test('a node that serves without its records says since when', async (t) => {
  const recordsAwaySince = Date.parse('2026-11-22T10:00:00Z');
  const server = await openApiServer(t, { readiness: () => ({ ready: true, recordsAwaySince }) });
  const answer = await server.call('GET', '/readyz', { key: null });
  t.is(answer.status, 200);
  t.deepEqual(answer.json, { status: 'ok', records: 'away since 2026-11-22T10:00:00.000Z' });
});

test('a process that does not keep up sheds everything but its liveness', async (t) => {
  const server = await openApiServer(t, { lag: { isOverloaded: () => true, isLate: () => false } });
  const shed = await server.post(SIGNUP);
  isProblem(t, shed, 503, 'overloaded');
  t.is(shed.headers.get('retry-after'), '1');
  isProblem(t, await server.call('GET', '/readyz', { key: null }), 503, 'overloaded');
  t.is((await server.call('GET', '/livez', { key: null })).status, 200);
});

test('a sender with too many waiting requests is refused after a while, and its health checks are not', async (t) => {
  const isLate = (senderOf: () => string) => senderOf() === '127.0.0.1';
  const server = await openApiServer(t, { lag: { isOverloaded: () => false, isLate } });
  const started = performance.now();
  const refused = await server.call('GET', '/usage');
  isProblem(t, refused, 503, 'overloaded');
  t.is(refused.headers.get('connection'), 'close');
  t.true(performance.now() - started >= 1_900, 'a flood that is refused at once would come again at once');
  t.is((await server.call('GET', '/readyz', { key: null })).status, 200);
  t.is((await server.call('GET', '/livez', { key: null })).status, 200);
});
