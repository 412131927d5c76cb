import test from 'ava';
import { sha256OfKey } from '../../src/accounts/api-key-format.ts';
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

const BAD_FIELDS: readonly (readonly [title: string, body: unknown, pointers: readonly string[]])[] = [
  ['nothing', {}, ['/email', '/ip_address']],
  ['only a bad user agent', { user_agent: 7 }, ['/email', '/ip_address', '/user_agent']],
  [
    'everything of the wrong type',
    { email: [], ip_address: {}, user_agent: [] },
    ['/email', '/ip_address', '/user_agent'],
  ],
  [
    'null where a string must be',
    { email: null, ip_address: null, user_agent: null },
    ['/email', '/ip_address'],
  ],
  ['two values that say nothing', { email: 'x', ip_address: 'x' }, ['/email', '/ip_address']],
  ['a bad address and a number', { email: 1, ip_address: '1.2.3' }, ['/email', '/ip_address']],
  ['white space around the email', { ...SIGNUP, email: ' a@example.com ' }, ['/email']],
  ['an email with two at signs', { ...SIGNUP, email: 'a@b@example.com' }, ['/email']],
  ['an email with a NUL', { ...SIGNUP, email: 'a@x.co\u0000@evil.co' }, ['/email']],
  ['a local part of 65 octets', { ...SIGNUP, email: `${'a'.repeat(65)}@example.com` }, ['/email']],
  ['an address literal', { ...SIGNUP, email: 'a@[127.0.0.1]' }, ['/email']],
  ['an email of 16,000 characters', { ...SIGNUP, email: 'a'.repeat(16_000) }, ['/email']],
  ['an octal address', { ...SIGNUP, ip_address: '010.0.0.1' }, ['/ip_address']],
  ['an address with a port', { ...SIGNUP, ip_address: '1.2.3.4:80' }, ['/ip_address']],
  ['a user agent of 2,049 characters', { ...SIGNUP, user_agent: 'a'.repeat(2_049) }, ['/user_agent']],
  ['a list at the top', [SIGNUP], ['']],
  ['a string at the top', 'a', ['']],
  ['null at the top', null, ['']],
];

for (const [title, body, pointers] of BAD_FIELDS) {
  test(`${title} is refused, and every bad field is named`, async (t) => {
    const server = await openApiServer(t);
    const { status, json } = await server.post(body);
    t.is(status, 400);
    t.is(json.code, 'invalid_request');
    t.deepEqual(json.errors.map(({ pointer }: { pointer: string }) => pointer).sort(), [...pointers].sort());
    t.false(JSON.stringify(json).includes('example.com'), 'nothing of the input is quoted');
  });
}

const GOOD_FIELDS: readonly (readonly [title: string, body: unknown])[] = [
  ['no user agent', { email: SIGNUP.email, ip_address: SIGNUP.ip_address }],
  ['a null user agent', { ...SIGNUP, user_agent: null }],
  ['a blank user agent', { ...SIGNUP, user_agent: ' \t' }],
  [
    'a user agent of 2,048 characters outside of the basic plane',
    { ...SIGNUP, user_agent: '😀'.repeat(2_048) },
  ],
  ['unknown fields', { ...SIGNUP, plan: 'unlimited', __proto__x: 1 }],
  ['a quoted local part', { ...SIGNUP, email: '"john doe"@example.com' }],
  ['an international mailbox', { ...SIGNUP, email: 'ユーザー@例え.jp' }],
  ['an address for documentation', { ...SIGNUP, ip_address: '2001:db8::1' }],
  ['a loopback address', { ...SIGNUP, ip_address: '127.0.0.1' }],
  ['an IPv4-mapped address', { ...SIGNUP, ip_address: '::ffff:198.51.100.7' }],
  ['a reserved domain', { ...SIGNUP, email: 'a@shop.test' }],
];

for (const [title, body] of GOOD_FIELDS) {
  test(`${title} is accepted`, async (t) => {
    t.is((await (await openApiServer(t)).post(body)).status, 200);
  });
}

const JSON_TYPE = 'application/json';
const TEXT = JSON.stringify(SIGNUP);
const BODIES: readonly (readonly [
  title: string,
  body: string | Buffer,
  headers: Readonly<Record<string, string>>,
  status: number,
  code: string | null,
])[] = [
  ['a charset of utf-8', TEXT, { 'content-type': 'application/json; charset="UTF-8"' }, 200, null],
  ['a charset with spaces', TEXT, { 'content-type': 'application/json; charset = utf8 ' }, 200, null],
  ['an unknown parameter', TEXT, { 'content-type': 'Application/JSON;v=1' }, 200, null],
  ['the identity encoding', TEXT, { 'content-encoding': 'identity' }, 200, null],
  ['any Accept', TEXT, { accept: 'text/html, */*;q=0' }, 200, null],
  ['exactly 16 KiB', TEXT.padEnd(16_384), {}, 200, null],
  ['one byte more', TEXT.padEnd(16_385), {}, 413, 'payload_too_large'],
  ['no type', Buffer.from(TEXT), { 'content-type': '' }, 415, 'unsupported_media_type'],
  ['text', TEXT, { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
  ['another JSON type', TEXT, { 'content-type': 'application/vnd.api+json' }, 415, 'unsupported_media_type'],
  ['another charset', TEXT, { 'content-type': `${JSON_TYPE};charset=utf-16` }, 415, 'unsupported_media_type'],
  [
    'a charset with a quote',
    TEXT,
    { 'content-type': `${JSON_TYPE};charset="utf-8` },
    415,
    'unsupported_media_type',
  ],
  ['gzip', TEXT, { 'content-encoding': 'gzip' }, 415, 'unsupported_media_type'],
  ['nothing at all', '', {}, 400, 'malformed_json'],
  ['half of it', '{"email":"a@b.c', {}, 400, 'malformed_json'],
  ['a byte order mark', `\ufeff${TEXT}`, {}, 400, 'malformed_json'],
  ['bytes that are no text', Buffer.from([0x7b, 0xff, 0x7d]), {}, 400, 'malformed_json'],
  [
    'an email twice',
    '{"email":"a@b.co","\\u0065mail":"c@d.co","ip_address":"1.1.1.1"}',
    {},
    400,
    'invalid_request',
  ],
  ['deep nesting', `{"a":${'['.repeat(8_000)}${']'.repeat(8_000)}}`, {}, 400, 'invalid_request'],
];

for (const [title, body, headers, status, code] of BODIES) {
  test(`a body of ${title} is answered with ${status}`, async (t) => {
    const server = await openApiServer(t);
    const answer = await server.post(null, { body, headers });
    t.is(answer.status, status);
    if (code === null) return;
    t.is(answer.json.code, code);
    t.is(answer.headers.get('content-type'), 'application/problem+json');
  });
}

test('a refused request counts nothing and calls no processor', async (t) => {
  const server = await openApiServer(t);
  await server.post({});
  await server.post(null, { body: '{' });
  await server.post(SIGNUP, { headers: { 'content-type': 'text/plain' } });
  await server.post(SIGNUP, { key: 'gk_live_unknown' });
  t.is(server.judged.count, 0);
  t.is((await server.call('GET', '/usage')).json.used, 0);
});

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
