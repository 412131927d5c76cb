import test from 'ava';
import { createApiKey, sha256OfKey } from '../../src/accounts/api-key-format.ts';
import { exchange } from '../http/raw-client.ts';
import { NOON, openApiServer, SIGNUP, UNKNOWN_ID } from './api-server.ts';
import { isProblem } from './is-problem.ts';

test('every route about an account requires a key, and accepts it from one header only', async (t) => {
  const server = await openApiServer(t);
  const key = await server.createKey();
  const paths = ['/usage', `/decisions/${UNKNOWN_ID}`];
  for (const path of paths)
    isProblem(t, await server.call('GET', path, { key: null }), 401, 'missing_api_key');
  isProblem(t, await server.post(SIGNUP, { key: null }), 401, 'missing_api_key');
  isProblem(t, await server.post(SIGNUP, { key: '' }), 401, 'missing_api_key');
  isProblem(
    t,
    await server.call('GET', `/usage?api_key=${key}&X-API-Key=${key}`, { key: null }),
    401,
    'missing_api_key',
  );
  const bearer = { authorization: `Bearer ${key}` };
  isProblem(t, await server.call('GET', '/usage', { key: null, headers: bearer }), 401, 'missing_api_key');
  for (const wrong of [`${key.slice(0, -1)}!`, key.slice(0, 20), `${key} `.repeat(2), 'x'.repeat(8_000)]) {
    isProblem(t, await server.post(SIGNUP, { key: wrong }), 401, 'invalid_api_key');
  }
  const twice = `X-API-Key: ${key}\r\nx-api-key: ${key}\r\n`;
  const { answers } = await exchange(server.port, `GET /usage HTTP/1.1\r\nHost: a\r\n${twice}\r\n`, {
    answers: 1,
  });
  t.is(answers[0]?.status, 401);
  t.is((await server.call('GET', '/usage', { key })).json.used, 0);
});

test('unknown, revoked and expired keys get the same answer', async (t) => {
  const server = await openApiServer(t);
  const account = await server.records.accounts.create({ name: 'a', plan: 'hobby' });
  const expired = createApiKey({ test: false });
  await server.records.apiKeys.create({
    accountId: account.id,
    name: 'old',
    sha256: sha256OfKey(expired),
    lastFour: expired.slice(-4),
    test: false,
    expiresAt: NOON - 1,
  });
  const revoked = await server.createKey({ name: 'gone' });
  await server.records.apiKeys.revoke('gone');
  const bodies = [];
  for (const key of [createApiKey({ test: false }), expired, revoked]) {
    const { status, json } = await server.call('GET', '/usage', { key });
    const { request_id, ...body } = json;
    t.is(status, 401);
    bodies.push(body);
  }
  t.deepEqual(bodies[1], bodies[0]);
  t.deepEqual(bodies[2], bodies[0]);
});

test('usage shows the month, its days and what is left', async (t) => {
  const server = await openApiServer(t);
  const key = await server.createKey({ plan: 'tiny' });
  await server.post(SIGNUP, { key });
  server.clock.now += 86_400_000;
  await server.post(SIGNUP, { key });
  t.deepEqual((await server.call('GET', '/usage', { key })).json, {
    plan: 'tiny',
    limit: 3,
    used: 2,
    remaining: 1,
    resets_at: '2026-12-01T00:00:00.000Z',
    days: [
      { date: '2026-11-21', used: 1 },
      { date: '2026-11-22', used: 1 },
    ],
  });
  const { json } = await server.call('GET', '/usage', { key: await server.createKey({ plan: 'unlimited' }) });
  t.like(json, { limit: null, remaining: null, used: 0 });
  const head = await server.call('HEAD', '/usage', { key });
  t.is(head.status, 200);
  t.is(head.text, '');
});
