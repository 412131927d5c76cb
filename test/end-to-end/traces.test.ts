import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { loadConfig } from '../../src/config/load.ts';
import { startGatekeeper } from '../../src/gatekeeper/start-gatekeeper.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { knownNames } from '../config/known-names.ts';
import { writeEmptyDatabase } from '../helpers/empty-database.ts';
import { launchGatekeeper } from '../helpers/gatekeeper-process.ts';
import { openOtlpReceiver, type ReceivedSpan } from '../helpers/otlp-receiver.ts';
import { REDIS_PROGRAMS, startRedis } from '../helpers/redis-server.ts';
import { openSmtpMailbox } from '../helpers/smtp-mailbox.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const KEY = 'key-of-the-test';
const SHA256 = createHash('sha256').update(KEY).digest('hex');
const EMAIL = 'jane.doe@acme.example';
const AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CONTEXT = { traceparent: `00-${TRACE}-00f067aa0ba902b7-01` };

async function openApp(t: ExecutionContext) {
  const seen: IncomingHttpHeaders[] = [];
  const app = createServer((request, response) => {
    seen.push(request.headers);
    request.resume().on('end', () => {
      response.writeHead(request.url === '/broken' ? 500 : 200).end('from the app');
    });
  }).listen(0, '127.0.0.1');
  await once(app, 'listening');
  t.teardown(() => {
    app.closeAllConnections();
    app.close();
  });
  return { seen, port: (app.address() as AddressInfo).port };
}

async function start(
  t: ExecutionContext,
  { trusted = '[]', trustedProxies = '[]', counters = 'memory', smtp = 'null' } = {},
) {
  const receiver = await openOtlpReceiver(t);
  const app = await openApp(t);
  const folder = temporaryFolder(t);
  const text = `
api: {listen: "127.0.0.1:0", keys: [{name: test, sha256: ${SHA256}, plan: limited}], plans: {limited: {requests_per_minute: 1000}}}
proxy:
  listen: 127.0.0.1:0
  upstream: http://127.0.0.1:${app.port}
  trusted_proxies: ${trustedProxies}
  routes:
    - {path: /signup, on_low: forward, on_medium: forward, on_high: forward}
    - {path: /mailed, on_low: verify, on_medium: verify, on_high: verify}
dashboard: {listen: "127.0.0.1:0"}
scoring: {dns: {enabled: false}}
mail: {smtp: ${smtp}}
storage: {records: "sqlite:${folder}/gatekeeper.db", counters: "${counters}"}
server: {max_lag: 60s, drain_timeout: 5s}
telemetry: {traces: {otlp: "${receiver.url}", trusted_sources: ${trusted}}}
`;
  const { config } = loadConfig({ file: null, text, env: {}, knownNames });
  await writeEmptyDatabase(`${folder}/gatekeeper.db`);
  const log = createLogger({ level: 'silent', format: 'json', write: () => {} });
  const gatekeeper = await startGatekeeper({ config, log, clock: Date.now, makeFirstKey: false });
  t.teardown(() => gatekeeper.stop());
  const score = (headers: Readonly<Record<string, string>> = {}, body: string = signup()) =>
    fetch(`${gatekeeper.apiUrl}/score-signup`, {
      method: 'POST',
      headers: { 'x-api-key': KEY, 'content-type': 'application/json', ...headers },
      body,
    });
  const atGate = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${gatekeeper.gate?.url}${path}`, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
        'user-agent': AGENT,
        ...headers,
      },
      body: new URLSearchParams({ email: EMAIL }),
    });
  return { receiver, app, gatekeeper, score, atGate };
}

function signup(): string {
  return JSON.stringify({ email: EMAIL, ip_address: '203.0.113.77', user_agent: AGENT });
}

const childrenOf = (spans: readonly ReceivedSpan[], parent: ReceivedSpan) =>
  spans
    .filter(({ parentSpanId }) => parentSpanId === parent.spanId)
    .map(({ name }) => name)
    .sort();

const FACTORS = ['examine email', 'examine ip_address', 'examine user_agent', 'examine velocity'];

test('a scoring is one trace: the request, the judge with its processors, and the storage', async (t) => {
  const { receiver, gatekeeper, score } = await start(t);
  const answer = await score(CONTEXT);
  t.is(answer.status, 200);
  await answer.text();
  const [server, judge] = [await receiver.received('POST /score-signup'), await receiver.received('judge')];
  await gatekeeper.stop();
  t.like(server, {
    ...{ kind: 2, parentSpanId: '', isError: false },
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/score-signup',
      'http.response.status_code': 200,
      'gatekeeper.door': 'api',
      'gatekeeper.request_id': answer.headers.get('x-request-id') ?? '',
    },
  });
  t.not(server.traceId, TRACE, 'a sender that is not trusted cannot name the trace');
  t.deepEqual(childrenOf(receiver.spans, server), ['commit decision', 'judge']);
  t.deepEqual(childrenOf(receiver.spans, judge), FACTORS);
  t.true(receiver.spans.every(({ traceId }) => traceId === server.traceId));
});

test('a caller of a trusted network continues its trace at the API', async (t) => {
  const { receiver, gatekeeper, score } = await start(t, { trusted: '[127.0.0.1]' });
  await (await score(CONTEXT)).text();
  await gatekeeper.stop();
  t.like(await receiver.received('POST /score-signup'), {
    traceId: TRACE,
    parentSpanId: '00f067aa0ba902b7',
  });
});

test('errors are marked with their code, and probes are left out', async (t) => {
  const { receiver, gatekeeper, score } = await start(t);
  await (await score({}, '{')).text();
  await (await fetch(`${gatekeeper.apiUrl}/decisions/jane.doe@acme.example`)).text();
  await (await fetch(`${gatekeeper.apiUrl}/livez`)).text();
  await (await fetch(`${gatekeeper.apiUrl}/readyz`)).text();
  await (await fetch(`${gatekeeper.apiUrl}/jane.doe@acme.example`)).text();
  await gatekeeper.stop();
  t.deepEqual(
    receiver.spans.map(({ name, attributes }) => [
      ...[name, attributes['http.response.status_code'], attributes['gatekeeper.problem']],
    ]),
    [
      ['POST /score-signup', 400, 'malformed_json'],
      ['GET /decisions/:request_id', 401, 'missing_api_key'],
      ['GET', 404, 'not_found'],
    ],
  );
});

test('a signup at the gate is one trace that the app continues', async (t) => {
  const { receiver, app, gatekeeper, atGate } = await start(t);
  await (await atGate('/signup?email=jane.doe@acme.example', CONTEXT)).text();
  const [server, upstream] = [
    await receiver.received('POST /signup'),
    await receiver.received('POST upstream'),
  ];
  await gatekeeper.stop();
  t.deepEqual(childrenOf(receiver.spans, server), ['POST upstream', 'judge', 'record decision']);
  t.not(server.traceId, TRACE);
  t.is(app.seen[0]?.traceparent, `00-${server.traceId}-${upstream.spanId}-01`);
  t.like(server.attributes, {
    ...{ 'http.route': '/signup', 'gatekeeper.action': 'forward', 'http.response.status_code': 200 },
    'gatekeeper.request_id': app.seen[0]?.['x-gatekeeper-request-id'],
  });
  t.like(upstream, { kind: 3, attributes: { 'server.port': app.port, 'http.response.status_code': 200 } });
});

test('a trusted proxy continues its trace through the gate, also for requests that only pass', async (t) => {
  const { receiver, app, gatekeeper, atGate } = await start(t, { trustedProxies: '[127.0.0.1]' });
  await (await atGate('/broken', { ...CONTEXT, tracestate: 'vendor=1' })).text();
  await gatekeeper.stop();
  const [server, upstream] = [await receiver.received('POST'), await receiver.received('POST upstream')];
  t.like(server, { traceId: TRACE, parentSpanId: '00f067aa0ba902b7', isError: true });
  t.like(upstream, { isError: true, attributes: { 'error.type': '500' } });
  t.is(app.seen[0]?.traceparent, `00-${TRACE}-${upstream.spanId}-01`);
  t.is(app.seen[0]?.tracestate, 'vendor=1');
});

test('requests that pass at once keep their own traces', async (t) => {
  const { app, gatekeeper, atGate } = await start(t, { trustedProxies: '[127.0.0.1]' });
  const ids = Array.from({ length: 50 }, (_, i) => (i + 1).toString(16).padStart(32, '0'));
  await Promise.all(
    ids.map(async (id) => {
      const headers = { traceparent: `00-${id}-00f067aa0ba902b7-01`, 'x-expected': id };
      await (await atGate('/passes', headers)).text();
    }),
  );
  await gatekeeper.stop();
  t.deepEqual(
    app.seen.map(({ traceparent }) => traceparent?.slice(3, 35)),
    app.seen.map((headers) => headers['x-expected']),
  );
  t.is(app.seen.length, ids.length);
});

test('the mail of a held signup belongs to its trace', async (t) => {
  const mailbox = await openSmtpMailbox(t);
  const { receiver, gatekeeper, atGate } = await start(t, { smtp: `"${mailbox.url}"` });
  await (await atGate('/mailed')).text();
  await mailbox.received(1);
  const mail = await receiver.received('send mail');
  await gatekeeper.stop();
  t.is(mail.parentSpanId, (await receiver.received('POST /mailed')).spanId);
});

test('nothing about a person is in a trace', async (t) => {
  const mailbox = await openSmtpMailbox(t);
  const { receiver, gatekeeper, score, atGate } = await start(t, { smtp: `"${mailbox.url}"` });
  await (await score()).text();
  await (await atGate('/signup?email=jane.doe@acme.example')).text();
  await (await atGate('/mailed/jane.doe')).text();
  await (await atGate('/mailed')).text();
  await mailbox.received(1);
  await gatekeeper.stop();
  t.true(receiver.spans.length > 20);
  for (const readable of ['jane', 'acme', '203.0.113', 'Firefox', '127.0.0.1:'])
    t.false(receiver.text().includes(readable), readable);
});

const withRedis = REDIS_PROGRAMS.length > 0 ? test : test.skip;
withRedis('calls of shared counters are spans', async (t) => {
  const redis = await startRedis();
  t.teardown(() => redis.stop());
  const { receiver, gatekeeper, score } = await start(t, { counters: `redis://127.0.0.1:${redis.port}` });
  await (await score()).text();
  await gatekeeper.stop();
  const [minute, velocity] = [
    await receiver.received('counters acquire_per_minute'),
    await receiver.received('examine velocity'),
  ];
  t.is(minute.parentSpanId, (await receiver.received('POST /score-signup')).spanId);
  t.deepEqual(childrenOf(receiver.spans, velocity), ['counters observe']);
  t.is(minute.attributes['db.system.name'], 'redis');
});

const WRITE_LOADED = `process.on('exit', () => require('node:fs').writeFileSync('loaded.txt',
  Object.keys(require('node:module')._cache).join('\\n')));`;

for (const [isConfigured, told] of [
  [false, 'nothing of OpenTelemetry is loaded without traces'],
  [true, 'OpenTelemetry is loaded with traces'],
] as const) {
  test(`${told}, by the whole program`, async (t) => {
    const folder = temporaryFolder(t);
    const receiver = await openOtlpReceiver(t);
    const traces = isConfigured ? `telemetry: {traces: {otlp: "${receiver.url}"}}` : '';
    writeFileSync(join(folder, 'write-loaded.cjs'), WRITE_LOADED);
    writeFileSync(
      join(folder, 'gatekeeper.yaml'),
      `api: {listen: "127.0.0.1:0"}\ndashboard: {listen: "127.0.0.1:0"}\nproxy: {listen: "127.0.0.1:0", upstream: "http://127.0.0.1:1"}\n${traces}\n`,
    );
    const env = { NODE_OPTIONS: `--require=${join(folder, 'write-loaded.cjs')}` };
    const process = launchGatekeeper(t, folder, ['serve'], env);
    await process.said('Gatekeeper listens on ');
    await process.said('\n');
    t.is(await process.end('SIGTERM'), 0);
    const loaded = readFileSync(join(folder, 'loaded.txt'), 'utf8');
    t.regex(loaded, /node_modules/);
    t.is(loaded.includes('@opentelemetry'), isConfigured);
  });
}
