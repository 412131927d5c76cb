import test from 'ava';
import { examination } from '../helpers/examinations.ts';
import { openApiServer, SECONDS_TO_DECEMBER, SIGNUP } from './api-server.ts';

test('a signup gets exactly the fields of the contract, four reasons in order and the headers', async (t) => {
  const server = await openApiServer(t);
  const { status, headers, json } = await server.post(SIGNUP);
  t.is(status, 200);
  t.deepEqual(Object.keys(json), ['trust_score', 'risk_level', 'reasons', 'request_id', 'processed_at']);
  t.is(json.trust_score, 91);
  t.is(json.risk_level, 'low');
  t.deepEqual(json.reasons[0], {
    factor: 'email',
    score: 95,
    reason_code: 'corporate_email',
    description: 'The domain belongs to an organisation, not to a mail provider.',
    risk_level: 'low',
  });
  t.deepEqual(
    json.reasons.map((r: { factor: string; score: number }) => [r.factor, r.score]),
    [
      ['email', 95],
      ['ip_address', 85],
      ['velocity', 90],
      ['user_agent', 95],
    ],
  );
  t.regex(json.request_id, /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
  t.is(json.processed_at, '2026-11-21T12:00:00.000Z');
  t.is(headers.get('content-type'), 'application/json');
  t.is(headers.get('ratelimit-policy'), `"month";q=1000;w=${30 * 86_400}`);
  t.is(headers.get('ratelimit'), `"month";r=999;t=${SECONDS_TO_DECEMBER}`);
  t.is(headers.get('gatekeeper-policy'), 'policy-1');
  t.is(headers.get('gatekeeper-data'), 'data-1');
  t.is(headers.get('cache-control'), 'no-store');
  t.is(headers.get('x-content-type-options'), 'nosniff');
  t.is(headers.get('x-request-id'), json.request_id);
  t.is(headers.get('server'), null);
  t.is(headers.get('x-powered-by'), null);
});

test('a refused request counts nothing and calls no processor', async (t) => {
  const server = await openApiServer(t);
  await server.post({});
  await server.post(null, { body: '{' });
  await server.post(SIGNUP, { headers: { 'content-type': 'text/plain' } });
  await server.post(SIGNUP, { key: 'gk_live_unknown' });
  t.is(server.judged.count, 0);
  t.is((await server.call('GET', '/usage')).json.used, 0);
});

test('a processor that fails is no failure of the request', async (t) => {
  const server = await openApiServer(t, {
    examine: (factor) => {
      if (factor === 'email') throw new Error('broken');
      if (factor === 'ip_address') return Promise.reject(new Error('broken'));
      return examination(factor === 'velocity' ? 'normal_velocity' : 'standard_browser');
    },
  });
  const { status, json } = await server.post(SIGNUP);
  t.is(status, 200);
  t.deepEqual(
    json.reasons.map((r: { reason_code: string }) => r.reason_code),
    ['email_not_evaluated', 'ip_address_not_evaluated', 'normal_velocity', 'standard_browser'],
  );
});

for (const [localPart, score, level] of [
  ['low', 91, 'low'],
  ['medium', 66, 'medium'],
  ['high', 20, 'high'],
  ['HIGH', 20, 'high'],
  ['someone', 91, 'low'],
  ['constructor', 91, 'low'],
] as const) {
  test(`with a test key ${localPart}@ is ${level}, uncounted and unjudged`, async (t) => {
    const server = await openApiServer(t);
    const account = await server.records.accounts.create({ name: 'both', plan: 'tiny' });
    const [live, trial] = [
      await server.createKey({ accountId: account.id, name: 'live' }),
      await server.createKey({ accountId: account.id, name: 'trial', test: true }),
    ];
    await server.post(SIGNUP, { key: live });
    const judgedBefore = server.judged.count;
    for (let i = 0; i < 5; i++) {
      const { status, json, headers } = await server.post(
        { ...SIGNUP, email: `${localPart}@shop.test` },
        { key: trial },
      );
      t.is(status, 200);
      t.is(json.trust_score, score);
      t.is(json.risk_level, level);
      t.is(json.reasons.length, 4);
      const limits = headers.get('ratelimit')?.split(', ');
      t.is(limits?.[0], `"month";r=2;t=${SECONDS_TO_DECEMBER}`);
      t.regex(limits?.[1] ?? '', /^"minute";r=59\d;t=60$/);
    }
    t.is(server.judged.count, judgedBefore);
    t.is((await server.call('GET', '/usage', { key: trial })).json.used, 1);
  });
}

test('records that fail are 503 with Retry-After, nothing is counted, and the cause is in the log alone', async (t) => {
  let failing = false;
  const server = await openApiServer(t, {
    wrapRecords: (records) => ({
      ...records,
      ledger: {
        ...records.ledger,
        commit: (entry) =>
          failing ? Promise.reject(new Error('disk full at /var/lib')) : records.ledger.commit(entry),
      },
    }),
  });
  failing = true;
  const { status, headers, json, text } = await server.post(SIGNUP);
  t.is(status, 503);
  t.is(json.code, 'overloaded');
  t.is(headers.get('retry-after'), '1');
  t.notRegex(text, /disk|var|Error/);
  t.true(server.log.some((line) => line.includes('disk full') && line.includes(json.request_id)));
  failing = false;
  t.is((await server.post(SIGNUP)).headers.get('ratelimit'), `"month";r=999;t=${SECONDS_TO_DECEMBER}`);
});

test('no log line contains a text of the sender', async (t) => {
  const server = await openApiServer(t);
  await server.post(SIGNUP);
  await server.post({ ...SIGNUP, email: 'ada@' });
  await server.call('GET', '/decisions/ada@example.com');
  const log = server.log.join('');
  t.true(server.log.length >= 3);
  t.notRegex(log, /ada@|198\.51|Mozilla|gk_live/);
});

test('a misspelled domain is named in the reason and in a header, in a repeated answer too', async (t) => {
  const misspelled = examination('corporate_email', { code: 'misspelled_domain', evidence: 'gmail.com' });
  const server = await openApiServer(t, {
    examine: (factor) => (factor === 'email' ? misspelled : examination('normal_velocity')),
  });
  const headers = { 'idempotency-key': 'one' };
  for (let i = 0; i < 2; i++) {
    const answer = await server.post({ ...SIGNUP, email: 'ada@gmial.com' }, { headers });
    t.is(answer.headers.get('gatekeeper-suggestion'), 'gmail.com');
    t.true(answer.json.reasons[0].description.endsWith('Did you mean gmail.com?'));
  }
  t.is((await (await openApiServer(t)).post(SIGNUP)).headers.get('gatekeeper-suggestion'), null);
});
