import test from 'ava';
import { openApiServer, SECONDS_TO_DECEMBER, SIGNUP } from './api-server.ts';

const OTHER = { ...SIGNUP, email: 'grace@example.com' };
const withKey = (key: string) => ({ 'idempotency-key': key });

test('the same key and body get the stored answer word for word, without a count or a judgement', async (t) => {
  const server = await openApiServer(t);
  const first = await server.post(SIGNUP, { headers: withKey('a') });
  const second = await server.post(SIGNUP, { headers: withKey('a') });
  t.is(second.status, 200);
  t.is(second.text, first.text);
  t.is(second.headers.get('ratelimit'), `"month";r=999;t=${SECONDS_TO_DECEMBER}`);
  t.is(second.headers.get('gatekeeper-policy'), 'policy-1');
  t.is(second.headers.get('gatekeeper-data'), 'data-1');
  t.is(server.judged.count, 1);
  t.is((await server.call('GET', '/usage')).json.used, 1);
});

test('another body under the same key is refused, and the first answer stays', async (t) => {
  const server = await openApiServer(t);
  const first = await server.post(SIGNUP, { headers: withKey('a') });
  const reused = await server.post(OTHER, { headers: withKey('a') });
  t.is(reused.status, 422);
  t.is(reused.json.code, 'idempotency_key_reused');
  t.is((await server.post(SIGNUP, { headers: withKey('a') })).text, first.text);
});

test('of many requests at once, one is judged and counted, and all get its answer', async (t) => {
  const server = await openApiServer(t);
  const key = await server.createKey();
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => server.post(SIGNUP, { key, headers: withKey('twins') })),
  );
  t.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  t.is(new Set(answers.map(({ text }) => text)).size, 1);
  t.is(server.judged.count, 1);
  t.is((await server.call('GET', '/usage', { key })).json.used, 1);
});

test('of two different bodies at once with one key, one is scored and the other refused', async (t) => {
  const server = await openApiServer(t);
  const key = await server.createKey();
  const answers = await Promise.all(
    [SIGNUP, OTHER].map((body) => server.post(body, { key, headers: withKey('race') })),
  );
  t.deepEqual(answers.map(({ status }) => status).sort(), [200, 422]);
});

test('an answer survives a restart, and a day is how long it is kept', async (t) => {
  const server = await openApiServer(t);
  const key = await server.createKey();
  const first = await server.post(SIGNUP, { key, headers: withKey('a') });
  const again = await server.reopen();
  t.is((await again.post(SIGNUP, { key, headers: withKey('a') })).text, first.text);
  again.clock.now += 86_400_000;
  const nextDay = await again.post(SIGNUP, { key, headers: withKey('a') });
  t.is(nextDay.status, 200);
  t.not(nextDay.json.request_id, first.json.request_id);
});

test('accounts do not share keys, and a refusal is not remembered', async (t) => {
  const server = await openApiServer(t);
  const [one, two] = [await server.createKey(), await server.createKey()];
  t.is((await server.post({ email: 1 }, { key: one, headers: withKey('a') })).status, 400);
  const first = await server.post(SIGNUP, { key: one, headers: withKey('a') });
  const second = await server.post(SIGNUP, { key: two, headers: withKey('a') });
  t.is(first.status, 200);
  t.not(second.json.request_id, first.json.request_id);
});

test('when the first request fails, the others with its key run in turn', async (t) => {
  let failures = 1;
  const server = await openApiServer(t, {
    wrapRecords: (records) => ({
      ...records,
      ledger: {
        ...records.ledger,
        commit: (entry) =>
          failures-- > 0 ? Promise.reject(new Error('busy')) : records.ledger.commit(entry),
      },
    }),
  });
  const key = await server.createKey();
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => server.post(SIGNUP, { key, headers: withKey('a') })),
  );
  t.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 200, 503]);
  t.is((await server.call('GET', '/usage', { key })).json.used, 1);
});

test('a used-up quota does not take stored answers away', async (t) => {
  const server = await openApiServer(t);
  const key = await server.createKey({ plan: 'tiny' });
  const first = await server.post(SIGNUP, { key, headers: withKey('a') });
  await server.post(SIGNUP, { key });
  await server.post(SIGNUP, { key });
  t.is((await server.post(SIGNUP, { key })).status, 429);
  t.is((await server.post(SIGNUP, { key, headers: withKey('a') })).text, first.text);
  t.is((await server.post(SIGNUP, { key, headers: withKey('b') })).status, 429);
});

test('test keys get their stored answers too', async (t) => {
  const server = await openApiServer(t);
  const key = await server.createKey({ test: true });
  const first = await server.post(SIGNUP, { key, headers: withKey('a') });
  t.is((await server.post(SIGNUP, { key, headers: withKey('a') })).text, first.text);
  t.is((await server.post(OTHER, { key, headers: withKey('a') })).status, 422);
});

test('a live key never gets the answer of a test key of its account', async (t) => {
  const server = await openApiServer(t);
  const { id: accountId } = await server.records.accounts.create({ name: 'both', plan: 'hobby' });
  const [testKey, liveKey] = [
    await server.createKey({ accountId, test: true }),
    await server.createKey({ accountId }),
  ];
  const high = { ...SIGNUP, email: 'high@example.com' };
  const tested = await server.post(high, { key: testKey, headers: withKey('a') });
  t.is(tested.json.risk_level, 'high');
  const live = await server.post(high, { key: liveKey, headers: withKey('a') });
  t.is(live.json.risk_level, 'low');
  t.is((await server.call('GET', '/usage', { key: liveKey })).json.used, 1);
  t.is((await server.post(SIGNUP, { key: testKey, headers: withKey('b') })).status, 200);
  t.is((await server.post(OTHER, { key: liveKey, headers: withKey('b') })).status, 200);
  t.is((await server.post(high, { key: testKey, headers: withKey('a') })).text, tested.text);
});

for (const [title, key, status] of [
  ['255 characters', 'k'.repeat(255), 200],
  ['256 characters', 'k'.repeat(256), 400],
  ['no character', '', 400],
  ['odd characters', '"; DROP TABLE answers; --é', 200],
] as const) {
  test(`a key of ${title} is answered with ${status}`, async (t) => {
    const server = await openApiServer(t);
    const answer = await server.post(SIGNUP, { headers: withKey(key) });
    t.is(answer.status, status);
    if (status === 400) t.is(answer.json.code, 'invalid_request');
  });
}
