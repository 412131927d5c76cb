import test from 'ava';
import { sha256OfKey } from '../../src/accounts/api-key-format.ts';
import { openApiServer, SECONDS_TO_DECEMBER, SIGNUP } from './api-server.ts';

test('the remaining quota decreases by one with each scoring, and a used-up quota says when the month ends', async (t) => {
  const server = await openApiServer(t);
  const key = await server.createKey({ plan: 'tiny' });
  for (const remaining of [2, 1, 0]) {
    const { status, headers } = await server.post(SIGNUP, { key });
    t.is(status, 200);
    t.is(headers.get('ratelimit'), `"month";r=${remaining};t=${SECONDS_TO_DECEMBER}`);
  }
  const { status, headers, json } = await server.post(SIGNUP, { key });
  t.is(status, 429);
  t.is(json.code, 'quota_exceeded');
  t.is(headers.get('retry-after'), String(SECONDS_TO_DECEMBER));
  t.is(headers.get('ratelimit'), `"month";r=0;t=${SECONDS_TO_DECEMBER}`);
  t.is(server.judged.count, 3, 'a signup without a place is not judged');
  server.clock.now = Date.UTC(2026, 11, 1);
  t.is((await server.post(SIGNUP, { key })).headers.get('ratelimit'), `"month";r=2;t=${31 * 86_400}`);
});

test('a quota is exact under concurrent requests', async (t) => {
  const server = await openApiServer(t);
  const key = await server.createKey({ plan: 'tiny' });
  const answers = await Promise.all(Array.from({ length: 60 }, () => server.post(SIGNUP, { key })));
  t.is(answers.filter(({ status }) => status === 200).length, 3);
  t.is(answers.filter(({ status }) => status === 429).length, 57);
  t.is((await server.call('GET', '/usage', { key })).json.used, 3);
});

test('the limit per minute differs from the quota and recovers with time', async (t) => {
  const server = await openApiServer(t);
  const key = await server.createKey({ plan: 'brisk' });
  const first = await server.post(SIGNUP, { key });
  t.is(first.headers.get('ratelimit-policy'), `"month";q=1000;w=${30 * 86_400}, "minute";q=2;w=60`);
  t.is(first.headers.get('ratelimit'), `"month";r=999;t=${SECONDS_TO_DECEMBER}, "minute";r=1;t=60`);
  await server.post(SIGNUP, { key });
  const third = await server.post(SIGNUP, { key });
  t.is(third.status, 429);
  t.is(third.json.code, 'rate_limited');
  const retryAfter = Number(third.headers.get('retry-after'));
  t.true(retryAfter >= 1 && retryAfter <= 60);
  server.clock.now += 61_000;
  t.is((await server.post(SIGNUP, { key })).status, 200);
});

test('test keys of an account share a limit per minute, which leaves its live keys alone', async (t) => {
  const server = await openApiServer(t, { testRequestsPerMinute: 3 });
  const keys = [await server.createKey({ test: true }), await server.createKey({ plan: 'brisk' })] as const;
  const [key, live] = keys;
  const first = await server.post(SIGNUP, { key });
  t.regex(first.headers.get('ratelimit-policy') ?? '', /"minute";q=3;w=60$/);
  t.regex(first.headers.get('ratelimit') ?? '', /"minute";r=2;t=60$/);
  for (let n = 0; n < 2; n++) t.is((await server.post(SIGNUP, { key })).status, 200);
  const refused = await server.post(SIGNUP, { key });
  t.is(refused.status, 429);
  t.is(refused.json.code, 'rate_limited');
  t.regex(String(refused.json.detail), /Test keys are allowed 3 requests a minute/);
  t.regex(refused.headers.get('ratelimit') ?? '', /"minute";r=0;t=60$/);
  const retryAfter = Number(refused.headers.get('retry-after'));
  t.true(retryAfter >= 1 && retryAfter <= 60);
  t.is((await server.post(SIGNUP, { key: live })).status, 200);
  server.clock.now += 61_000;
  t.is((await server.post(SIGNUP, { key })).status, 200);
});

test('a plan without limits sends no limit headers', async (t) => {
  const server = await openApiServer(t);
  const { status, headers } = await server.post(SIGNUP, {
    key: await server.createKey({ plan: 'unlimited' }),
  });
  t.is(status, 200);
  t.is(headers.get('ratelimit'), null);
});

test('an account whose plan was removed from the configuration gets the default plan', async (t) => {
  const server = await openApiServer(t);
  const { headers } = await server.post(SIGNUP, { key: await server.createKey({ plan: 'constructor' }) });
  t.is(headers.get('ratelimit-policy'), `"month";q=1000;w=${30 * 86_400}`);
});

test('a key with the prefix of a test key is a test key, also when only its hash was known', async (t) => {
  const server = await openApiServer(t);
  const { records } = server;
  const account = await records.accounts.create({ name: 'configured', plan: 'tiny' });
  const key = 'gk_test_of-my-own';
  const facts = { accountId: account.id, name: 'own', sha256: sha256OfKey(key), lastFour: '-own' };
  await records.apiKeys.create({ ...facts, test: false, expiresAt: null });
  const { json } = await server.post({ ...SIGNUP, email: 'high@shop.test' }, { key });
  t.is(json.trust_score, 20);
  t.is(server.judged.count, 0);
  t.is((await server.call('GET', '/usage', { key })).json.used, 0);
});

test('a test key is held to the fields like any other', async (t) => {
  const server = await openApiServer(t);
  const key = await server.createKey({ test: true });
  t.is((await server.post({ email: 'low@', ip_address: 'x' }, { key })).status, 400);
});
