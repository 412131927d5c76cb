import test from 'ava';
import { createClient, GatekeeperError, ProblemError } from '../../src/client/client.ts';
import { openApiServer, SIGNUP } from '../api/api-server.ts';

const ADA = { email: SIGNUP.email, ipAddress: SIGNUP.ip_address, userAgent: SIGNUP.user_agent };
const UNKNOWN_ID = '0d4ff2c0-0000-7000-8000-000000000000';
/** Longer than any pause of a busy machine. */
const timeout = 110_000;

test('it scores, reads the decision, labels it and reads the usage of the real API', async (t) => {
  const server = await openApiServer(t);
  const client = createClient({
    url: server.url,
    apiKey: await server.createKey(),
    onError: 'throw',
    timeout,
  });
  const result = await client.score(ADA);
  t.is(result.source, 'decision');
  t.is(result.riskLevel, 'low');
  t.is(result.trustScore, 91);
  t.deepEqual(
    result.reasons.map(({ factor }) => factor),
    ['email', 'ip_address', 'velocity', 'user_agent'],
  );
  t.is(typeof result.reasons[0]?.reasonCode, 'string');
  t.is(result.error, null);

  t.is(await client.feedback(result.requestId, 'fraud'), undefined);
  const decision = await client.decision(result.requestId);
  t.is(decision.requestId, result.requestId);
  t.is(decision.label, 'fraud');
  t.is(decision.factors[0]?.riskLevel, 'low');
  const usage = await client.usage();
  t.is(usage.used, 1);
  t.is(usage.limit, 1_000);
  t.regex(usage.resetsAt, /^2026-12-01/);
});

test('a test key leads to each level, and the answer has the names of the types', async (t) => {
  const server = await openApiServer(t);
  const apiKey = await server.createKey({ test: true });
  const client = createClient({ url: server.url, apiKey, onError: 'deny', timeout });
  for (const level of ['low', 'medium', 'high'] as const) {
    const result = await client.score({ email: `${level}@example.com`, ipAddress: '198.51.100.7' });
    t.is(result.source, 'decision');
    t.is(result.riskLevel, level);
    t.deepEqual(Object.keys(result).sort(), [
      ...['error', 'processedAt', 'reasons', 'requestId', 'riskLevel', 'source', 'suggestion', 'trustScore'],
    ]);
  }
});

test('the same idempotency key counts once; without one, each call counts', async (t) => {
  const server = await openApiServer(t);
  const client = createClient({
    url: server.url,
    apiKey: await server.createKey(),
    onError: 'throw',
    timeout,
  });
  const [first, again] = [
    await client.score(ADA, { idempotencyKey: 'form-1' }),
    await client.score(ADA, { idempotencyKey: 'form-1' }),
  ];
  t.is(again.requestId, first.requestId);
  t.is((await client.usage()).used, 1);
  await client.score(ADA);
  await client.score(ADA);
  t.is((await client.usage()).used, 3);
});

const INVALID: readonly (readonly [
  what: string,
  signup: object,
  idempotencyKey: string | undefined,
  code: string,
])[] = [
  ['an email with a trailing dot', { ...ADA, email: 'x@mailinator.com.' }, undefined, 'invalid_request'],
  ['an email that is an object', { ...ADA, email: { $ne: 1 } }, undefined, 'invalid_request'],
  ['an email of 1 MB', { ...ADA, email: `${'a'.repeat(1_000_000)}@x.org` }, undefined, 'payload_too_large'],
  [
    'a user agent of 3,000 characters',
    { ...ADA, userAgent: 'a'.repeat(3_000) },
    undefined,
    'invalid_request',
  ],
  [
    'a user agent of 20,000 characters',
    { ...ADA, userAgent: 'a'.repeat(20_000) },
    undefined,
    'payload_too_large',
  ],
  ['an invalid address', { ...ADA, ipAddress: 'unknown' }, undefined, 'invalid_request'],
  ['the names of the wire', { email: ADA.email, ip_address: ADA.ipAddress }, undefined, 'invalid_request'],
  ['a line break in the idempotency key', ADA, 'a\nb', 'invalid_request'],
  ['an idempotency key outside ASCII', ADA, 'ключ', 'invalid_request'],
  [
    'an idempotency key of another email',
    { ...ADA, email: 'x@mailinator.com' },
    'used',
    'idempotency_key_reused',
  ],
];

test('what a sender can cause is never allowed in: the result is invalid and high', async (t) => {
  const server = await openApiServer(t);
  const client = createClient({
    url: server.url,
    apiKey: await server.createKey(),
    onError: 'allow',
    timeout,
  });
  await client.score(ADA, { idempotencyKey: 'used' });
  for (const [what, signup, idempotencyKey, code] of INVALID) {
    const result = await client.score(signup as typeof ADA, { idempotencyKey });
    t.like(result, { source: 'invalid', riskLevel: 'high', trustScore: null }, what);
    t.is(result.error?.code, code, what);
  }
});

test('a body of exactly the limit is sent, one byte more is not', async (t) => {
  const server = await openApiServer(t);
  const client = createClient({
    url: server.url,
    apiKey: await server.createKey(),
    onError: 'throw',
    timeout,
  });
  const frame = JSON.stringify({ email: '', ip_address: ADA.ipAddress }).length;
  const email = 'a'.repeat(16_384 - frame);
  const { ipAddress } = ADA;
  const atLimit = await t.throwsAsync(client.score({ email, ipAddress }), { instanceOf: ProblemError });
  t.is(atLimit?.code, 'invalid_request');
  t.truthy(atLimit?.requestId);
  const above = await t.throwsAsync(client.score({ email: `${email}a`, ipAddress }), {
    instanceOf: ProblemError,
  });
  t.is(above?.code, 'payload_too_large');
  t.is(above?.requestId, null);
});

test('refusals are problem errors with their code, the request id and the bad fields', async (t) => {
  const server = await openApiServer(t);
  const apiKey = await server.createKey();
  const client = createClient({ url: server.url, apiKey, onError: 'throw', timeout });
  const error = await t.throwsAsync(client.score({ email: 'ada', ipAddress: '300.1.1.1' }), {
    instanceOf: ProblemError,
  });
  t.is(error?.code, 'invalid_request');
  t.is(error?.status, 400);
  t.truthy(error?.requestId);
  t.deepEqual(error?.errors.map(({ pointer }) => pointer).sort(), ['/email', '/ip_address']);

  const stranger = createClient({ url: server.url, apiKey: 'gk_live_wrong', onError: 'throw', timeout });
  t.is((await t.throwsAsync(stranger.score(ADA), { instanceOf: ProblemError }))?.code, 'invalid_api_key');
  t.is((await t.throwsAsync(client.decision(UNKNOWN_ID), { instanceOf: ProblemError }))?.code, 'not_found');
  t.is(
    (await t.throwsAsync(client.feedback(UNKNOWN_ID, 'fraud'), { instanceOf: ProblemError }))?.code,
    'not_found',
  );
  for (const id of ['', '..', '../usage', 'x?y', `${UNKNOWN_ID}/feedback`]) {
    t.is(
      (await t.throwsAsync(client.decision(id), { instanceOf: ProblemError }))?.code,
      'invalid_request',
      id,
    );
  }
});

test('a used-up quota and a wrong key are fallbacks by choice, and the result says so', async (t) => {
  const server = await openApiServer(t);
  const apiKey = await server.createKey({ plan: 'tiny' });
  const [open, closed] = (['allow', 'deny'] as const).map((onError) =>
    createClient({ url: server.url, apiKey, onError, timeout }),
  );
  for (let call = 0; call < 3; call++) t.is((await open?.score(ADA))?.source, 'decision');
  for (const [client, riskLevel] of [
    [open, 'low'],
    [closed, 'high'],
  ] as const) {
    const result = await client?.score(ADA);
    t.like(result, { source: 'fallback', riskLevel, trustScore: null, requestId: null });
    t.is(result?.error?.code, 'quota_exceeded');
    t.true((result?.error?.retryAfterSeconds ?? 0) > 86_400);
  }
  const stranger = createClient({ url: server.url, apiKey: 'wrong', onError: 'allow', timeout });
  t.is((await stranger.score(ADA)).error?.code, 'invalid_api_key');
});

test('five hundred calls at once are all answered and all counted', async (t) => {
  const server = await openApiServer(t);
  const apiKey = await server.createKey();
  const client = createClient({ url: `${server.url}/`, apiKey, onError: 'allow', timeout });
  const results = await Promise.all(
    Array.from({ length: 500 }, (_, n) => client.score({ ...ADA, email: `n${n}@example.com` })),
  );
  t.true(results.every(({ source }) => source === 'decision'));
  t.is((await client.usage()).used, 500);
});

test('an option that cannot work is refused at once, by name', (t) => {
  const good = { url: 'http://127.0.0.1:8080', apiKey: 'gk_live_x', onError: 'allow' } as const;
  const wrong: readonly (readonly [option: string, value: unknown])[] = [
    ...[
      undefined,
      '',
      '127.0.0.1:8080',
      'ftp://x',
      'http://u:p@x',
      'http://x/?key=1',
      'http://x/score-signup',
    ].map((value) => ['url', value] as const),
    ...[undefined, '', 'with space', 'gk_live_…', 7].map((value) => ['apiKey', value] as const),
    ...[undefined, 'open', true].map((value) => ['onError', value] as const),
    ...[0, -1, 0.5, Number.NaN, 600_001, '3s'].map((value) => ['timeout', value] as const),
    ...[-1, 11, 1.5, Number.POSITIVE_INFINITY].map((value) => ['retries', value] as const),
  ];
  t.notThrows(() => createClient(good));
  for (const [option, value] of wrong) {
    const error = t.throws(() => createClient({ ...good, [option]: value } as typeof good), {
      instanceOf: TypeError,
    });
    t.true(error?.message.startsWith(option), `${option} ${String(value)}: ${error?.message}`);
  }
});

test('an option that the client does not know is refused by name', (t) => {
  const options = { url: 'http://127.0.0.1:1/', apiKey: 'gk_live_x', onError: 'deny', timeOut: 500 } as const;
  t.throws(() => createClient(options), {
    instanceOf: TypeError,
    message: 'unknown option timeOut; expected url, apiKey, onError, timeout, retries, fetch',
  });
});

test('the key is in no error', async (t) => {
  const apiKey = 'gk_live_secret';
  const client = createClient({ url: 'http://127.0.0.1:1/', apiKey, onError: 'throw', timeout, retries: 0 });
  const error = await t.throwsAsync(client.score(ADA), { instanceOf: GatekeeperError });
  t.is(error?.code, 'connection_failed');
  t.notRegex(`${error?.stack} ${JSON.stringify(error)} ${String(error?.cause)}`, /secret/);
});
