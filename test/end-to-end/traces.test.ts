import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { launchGatekeeper } from '../helpers/gatekeeper-process.ts';
import { openOtlpReceiver } from '../helpers/otlp-receiver.ts';
import { REDIS_PROGRAMS, startRedis } from '../helpers/redis-server.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { CONTEXT, childrenOf, start, TRACE } from './traced-gatekeeper.ts';

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
