import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import test from 'ava';
import { createClient, GatekeeperError, ProblemError } from '../../src/client/client.ts';
import { hang, json, openFaultServer, problem, reset, SCORE } from './fault-server.ts';

const ADA = { email: 'ada@example.com', ipAddress: '198.51.100.7' };
const base = { apiKey: 'gk_live_x', onError: 'throw' } as const;
/** Longer than any pause of a busy machine. */
const timeout = 110_000;

test('a reset, a 503 and a 429 are tried again with the same idempotency key and body', async (t) => {
  const { url, requests } = await openFaultServer(t, [
    reset,
    problem(503, 'overloaded', { 'retry-after': '0' }),
    problem(429, 'rate_limited'),
    json(200, SCORE, { 'gatekeeper-suggestion': 'gmail.com' }),
  ]);
  const result = await createClient({ ...base, url, timeout, retries: 3 }).score(ADA);
  t.is(result.trustScore, 91);
  t.is(result.suggestion, 'gmail.com');
  t.is(requests.length, 4);
  t.is(new Set(requests.map(({ headers }) => headers['idempotency-key'])).size, 1);
  t.is(new Set(requests.map(({ body }) => body)).size, 1);
  t.regex(String(requests[0]?.headers['idempotency-key']), /^[\da-f-]{36}$/);
  t.is(requests[0]?.headers['x-api-key'], 'gk_live_x');
});

test('the next try is never earlier than Retry-After says', async (t) => {
  const { url, requests } = await openFaultServer(t, [
    problem(503, 'shutting_down', { 'retry-after': '1' }),
    json(200, SCORE),
  ]);
  await createClient({ ...base, url, timeout }).score(ADA);
  const [first, second] = requests;
  t.true((second?.at ?? 0) - (first?.at ?? 0) >= 990, 'timers may be a few milliseconds early');
});

test('a Retry-After beyond the time limit is not waited for', async (t) => {
  for (const wait of ['3600', '999999999', new Date(Date.now() + 3_600_000).toUTCString()]) {
    const { url, requests } = await openFaultServer(t, [
      problem(429, 'quota_exceeded', { 'retry-after': wait }),
    ]);
    const error = await t.throwsAsync(createClient({ ...base, url, timeout }).score(ADA), {
      instanceOf: ProblemError,
    });
    t.is(error?.code, 'quota_exceeded');
    t.true((error?.retryAfterSeconds ?? 0) >= 3_500, wait);
    t.is(requests.length, 1, wait);
  }
});

test('a Retry-After that is not a time is ignored', async (t) => {
  for (const wait of ['soon', '-5', '1e400', '1.5', '']) {
    const { url, requests } = await openFaultServer(t, [
      problem(503, 'overloaded', { 'retry-after': wait }),
      json(200, SCORE),
    ]);
    await createClient({ ...base, url, timeout }).score(ADA);
    t.is(requests.length, 2, wait);
  }
});

test('what cannot help is sent once', async (t) => {
  const refusals = [
    ...[
      [400, 'invalid_request'],
      [400, 'malformed_json'],
      [401, 'invalid_api_key'],
      [404, 'not_found'],
    ],
    ...[
      [413, 'payload_too_large'],
      [422, 'idempotency_key_reused'],
      [500, 'internal_error'],
    ],
  ] as const;
  for (const [status, code] of refusals) {
    const { url, requests } = await openFaultServer(t, [problem(Number(status), String(code))]);
    const error = await t.throwsAsync(createClient({ ...base, url, timeout }).score(ADA), {
      instanceOf: ProblemError,
    });
    t.is(error?.code, code);
    t.is(error?.requestId, SCORE.request_id);
    t.is(requests.length, 1, String(code));
  }
});

test('after the last retry the last error is thrown', async (t) => {
  for (const retries of [0, 2]) {
    const { url, requests } = await openFaultServer(t, [problem(503, 'overloaded')]);
    const client = createClient({ ...base, url, timeout, retries });
    t.is((await t.throwsAsync(client.score(ADA), { instanceOf: ProblemError }))?.code, 'overloaded');
    t.is(requests.length, retries + 1);
  }
});

test('answers of another program are errors that say so', async (t) => {
  const nested = '['.repeat(200_000) + ']'.repeat(200_000);
  const cases = [
    json(200, '<html>welcome to the hotel</html>'),
    json(200, ''),
    json(200, '{"trust_score": 9'),
    json(200, 'null'),
    json(200, '[]'),
    json(200, '{}'),
    json(200, { ...SCORE, risk_level: 'none' }),
    json(200, { ...SCORE, trust_score: '91' }),
    json(200, `{"a": ${nested}}`),
    json(204, ''),
    json(404, '<h1>Not Found</h1>'),
    json(502, 'Bad Gateway'),
    json(302, '', { location: 'http://127.0.0.1:1/' }),
    json(307, '', { location: '/score-signup' }),
    json(200, '{}', { 'content-encoding': 'gzip' }),
  ];
  for (const [index, reaction] of cases.entries()) {
    const { url, requests } = await openFaultServer(t, [reaction]);
    const client = createClient({ ...base, url, timeout, retries: 0 });
    const error = await t.throwsAsync(client.score(ADA), { instanceOf: GatekeeperError }, String(index));
    t.regex(error?.code ?? '', /^(unexpected_answer|connection_failed)$/, String(index));
    t.is(requests.length, 1, `case ${index} follows no redirect`);
    const open = createClient({ ...base, url, timeout, retries: 0, onError: 'allow' });
    t.like(await open.score(ADA), { source: 'fallback', riskLevel: 'low' }, String(index));
  }
});

test('a server that hangs, or sends byte by byte, ends at the time limit', async (t) => {
  const timers: NodeJS.Timeout[] = [];
  t.teardown(() => timers.forEach(clearInterval));
  const reactions = [
    hang,
    (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      timers.push(setInterval(() => response.write(' '), 5));
    },
  ] satisfies Parameters<typeof openFaultServer>[1];
  for (const reaction of reactions) {
    const { url } = await openFaultServer(t, [reaction]);
    const client = createClient({ ...base, url, timeout: 400, onError: 'deny' });
    const result = await client.score(ADA);
    t.like(result, { source: 'fallback', riskLevel: 'high' });
    t.is(result.error?.code, 'time_limit_exceeded');
    t.is((await t.throwsAsync(client.usage(), { instanceOf: GatekeeperError }))?.code, 'time_limit_exceeded');
  }
});

test('a head that arrives byte by byte ends at the time limit', async (t) => {
  const timers: NodeJS.Timeout[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => {}).resume();
    timers.push(setInterval(() => socket.write('H'), 5));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    timers.forEach(clearInterval);
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const result = await createClient({ ...base, url, timeout: 400, onError: 'allow' }).score(ADA);
  t.is(result.source, 'fallback');
});

test('an answer of a gigabyte is cut off', async (t) => {
  let sent = 0;
  const block = Buffer.alloc(65_536, ' ');
  const { url } = await openFaultServer(t, [
    (response) => {
      response.writeHead(200, { 'content-length': 1_073_741_824 });
      const fill = () => {
        while (!response.destroyed && sent < 1_073_741_824) {
          sent += block.length;
          if (!response.write(block)) return void response.once('drain', fill);
        }
      };
      fill();
    },
  ]);
  const client = createClient({ ...base, url, timeout, retries: 0 });
  t.is((await t.throwsAsync(client.usage(), { instanceOf: GatekeeperError }))?.code, 'unexpected_answer');
  t.true(sent < 64 * 1_048_576, `${sent} bytes were sent`);
});

test('the signal of the caller ends a call, also while it waits for the next try', async (t) => {
  const { url, requests } = await openFaultServer(t, [hang]);
  const open = createClient({ ...base, url, timeout, onError: 'allow' });
  const early = new AbortController();
  early.abort(new Error('the visitor left early'));
  await t.throwsAsync(open.score(ADA, { signal: early.signal }), { message: 'the visitor left early' });
  t.is(requests.length, 0);

  const waiting = await openFaultServer(t, [problem(503, 'overloaded', { 'retry-after': '60' })]);
  for (const address of [url, waiting.url]) {
    const controller = new AbortController();
    const client = createClient({ ...base, url: address, timeout, onError: 'allow' });
    const call = client.score(ADA, { signal: controller.signal });
    setTimeout(() => controller.abort(new Error('the visitor left')), 100);
    await t.throwsAsync(call, { message: 'the visitor left' });
  }
});

test('the time limit also covers the pauses between tries', async (t) => {
  const { url } = await openFaultServer(t, [problem(503, 'overloaded')]);
  const client = createClient({ ...base, url, timeout: 300, retries: 10, onError: 'allow' });
  const result = await client.score(ADA);
  t.is(result.source, 'fallback');
  t.true(['overloaded', 'time_limit_exceeded'].includes(result.error?.code ?? ''));
});

test('an address with a path, and an own fetch, are used', async (t) => {
  const { url, requests } = await openFaultServer(t, [json(200, SCORE)]);
  let calls = 0;
  const counting: typeof fetch = (input, init) => {
    calls++;
    return fetch(input, init);
  };
  await createClient({ ...base, url: new URL('/gatekeeper', url), timeout, fetch: counting }).score(ADA);
  t.is(requests[0]?.path, '/gatekeeper/score-signup');
  t.is(calls, 1);
});
