import test, { type ExecutionContext } from 'ava';
import { openTracer } from '../../src/telemetry/open-tracer.ts';
import type { TraceContext, Tracer } from '../../src/telemetry/tracer.ts';
import { traceCalls } from '../../src/telemetry/tracer.ts';
import { freePort } from '../helpers/free-port.ts';
import { IS_FULL_PROOF } from '../helpers/full-proof.ts';
import { openOtlpReceiver } from '../helpers/otlp-receiver.ts';
import { until } from '../helpers/shared-counters.ts';

const PATIENCE_MS = 60_000;
const PARENT = { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', tracestate: 'a=1' };

function open(t: ExecutionContext, otlp: string, more: { readonly sample?: number } = {}) {
  const counts = { sent: 0, failed: 0, dropped: 0 };
  const lines: string[] = [];
  const line = (facts: object, message: string) => void lines.push(`${message} ${JSON.stringify(facts)}`);
  const tracer = openTracer({
    traces: {
      ...{ otlp, headers: { 'x-scope-orgid': 'acme' }, sample: 1, service_name: 'gate' },
      trusted_sources: ['10.0.0.0/8'],
      ...more,
    },
    onSpans: (result, spans) => {
      counts[result] += spans;
    },
    log: { warn: line, info: line },
  });
  t.teardown(() => tracer.close());
  return { tracer, counts, lines };
}

/** One request with one piece of work in it. */
function request(tracer: Tracer, parent: TraceContext | null = null): readonly string[] {
  let fields: readonly string[] = [];
  tracer.request({ name: 'GET', attributes: {}, parent }, (_, end) => {
    tracer.span({ name: 'work', kind: 'client' }, () => {
      fields = tracer.contextFields();
    });
    end();
  });
  return fields;
}

test('spans reach the receiver with its headers, the name of the service and their parents', async (t) => {
  const receiver = await openOtlpReceiver(t);
  const { tracer, counts } = open(t, receiver.url);
  const fields = request(tracer, PARENT);
  t.true(await until(() => counts.sent === 2, PATIENCE_MS));
  t.like(receiver.headers(), { ':path': '/v1/traces', 'x-scope-orgid': 'acme' });
  t.like(receiver.resource(), { 'service.name': 'gate' });
  const [work, server] = [await receiver.received('work'), await receiver.received('GET')];
  t.like(server, { kind: 2, traceId: PARENT.traceparent.slice(3, 35), parentSpanId: '00f067aa0ba902b7' });
  t.like(work, { kind: 3, traceId: server.traceId, parentSpanId: server.spanId });
  t.deepEqual(fields, [...['traceparent', `00-${work.traceId}-${work.spanId}-01`], ...['tracestate', 'a=1']]);
  t.deepEqual(counts, { sent: 2, failed: 0, dropped: 0 });
});

test('a path of the URL stays as it is', async (t) => {
  const receiver = await openOtlpReceiver(t);
  const { tracer } = open(t, `${receiver.url}/otlp/traces`);
  request(tracer);
  await receiver.received('work');
  t.is(receiver.headers()[':path'], '/otlp/traces');
});

test('a context that is not valid begins a new trace', async (t) => {
  const receiver = await openOtlpReceiver(t);
  const { tracer, counts } = open(t, receiver.url);
  const wrong = ['', 'x', PARENT.traceparent.slice(0, -1), `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`];
  for (const traceparent of wrong) request(tracer, { traceparent, tracestate: '=,'.repeat(200) });
  t.true(await until(() => counts.sent === 2 * wrong.length, PATIENCE_MS));
  const servers = receiver.spans.filter(({ kind }) => kind === 2);
  t.is(servers.length, wrong.length);
  t.true(servers.every(({ parentSpanId, traceId }) => parentSpanId === '' && /[1-9a-f]/.test(traceId)));
});

test('requests that are not sampled are not sent, and their context says so', async (t) => {
  const receiver = await openOtlpReceiver(t);
  const { tracer, counts } = open(t, receiver.url, { sample: 0 });
  const fields = request(tracer);
  t.regex(fields[1] ?? '', /^00-[\da-f]{32}-[\da-f]{16}-00$/);
  t.is(request(tracer, PARENT)[1]?.slice(-3), '-01', 'a trusted sender may ask for its trace');
  t.true(await until(() => counts.sent > 0, PATIENCE_MS));
  t.is(counts.sent, 2);
});

test('the name of an error is sent, and never its message', async (t) => {
  const receiver = await openOtlpReceiver(t);
  const { tracer } = open(t, receiver.url);
  const target = traceCalls(
    tracer,
    {
      get size() {
        return 3;
      },
      now() {
        throw new RangeError('jane@acme.example');
      },
      later: async () => Promise.reject(new TypeError('jane@acme.example')),
    },
    { now: { name: 'now' }, later: { name: 'later' } },
  );
  t.is(target.size, 3);
  await new Promise<void>((resolve) => {
    tracer.request({ name: 'GET', attributes: {}, parent: null }, async (_, end) => {
      t.throws(() => target.now(), { instanceOf: RangeError });
      await t.throwsAsync(target.later(), { instanceOf: TypeError });
      end();
      resolve();
    });
  });
  t.like(await receiver.received('now'), { isError: true, attributes: { 'error.type': 'RangeError' } });
  t.like(await receiver.received('later'), { isError: true, attributes: { 'error.type': 'TypeError' } });
  t.notRegex(receiver.text(), /jane/);
});

test('work outside of a request runs without a span', async (t) => {
  const receiver = await openOtlpReceiver(t);
  const { tracer } = open(t, receiver.url);
  t.is(tracer.requestSpan(), null);
  t.deepEqual(tracer.contextFields(), []);
  t.is(
    tracer.span({ name: 'work' }, (span) => {
      span.set({ a: 1 });
      return 7;
    }),
    7,
  );
  await tracer.close();
  t.is(receiver.requests(), 0);
});

test('only named networks are trusted', (t) => {
  const { tracer } = open(t, 'http://127.0.0.1:1');
  for (const [address, isTrusted] of [
    ['10.1.2.3', true],
    ['::ffff:10.1.2.3', true],
    ['127.0.0.1', false],
    ['', false],
  ] as const)
    t.is(tracer.trusts(address), isTrusted, address);
});

test('a receiver that fails is one line in the log and a count, and is used again', async (t) => {
  const receiver = await openOtlpReceiver(t);
  receiver.behave('fail');
  const { tracer, counts, lines } = open(t, receiver.url);
  for (const tries of [2, 4]) {
    request(tracer);
    t.true(await until(() => counts.failed === tries, PATIENCE_MS));
  }
  t.is(lines.length, 1, lines.join('\n'));
  t.regex(lines[0] ?? '', /status 500/);
  t.notRegex(lines[0] ?? '', /jane/);
  receiver.behave('take');
  request(tracer);
  t.true(await until(() => counts.sent === 2, PATIENCE_MS));
  t.is(lines.length, 2);
});

test('the end sends what waits', async (t) => {
  const receiver = await openOtlpReceiver(t);
  const { tracer, counts } = open(t, receiver.url);
  // The first request to a receiver loads modules, which takes long on a busy machine.
  request(tracer);
  t.true(await until(() => counts.sent === 2, PATIENCE_MS));
  request(tracer);
  await tracer.close();
  // On a busy machine it arrives after the end.
  t.true(await until(() => receiver.spans.length === 4, PATIENCE_MS));
});

test('the end drops what a receiver does not take in time', async (t) => {
  const receiver = await openOtlpReceiver(t);
  receiver.behave('hang');
  const { tracer, counts } = open(t, receiver.url);
  for (let i = 0; i < 1_000; i++) request(tracer);
  await tracer.close();
  t.is(counts.sent, 0);
  t.is(counts.dropped, 2_000, 'those on their way are dropped too');
  request(tracer);
  t.is(counts.dropped, 2_002, 'nothing waits after the end');
});

test('a million spans for a receiver that is away take the room of two thousand', async (t) => {
  t.timeout(300_000);
  const { tracer, counts } = open(t, `http://127.0.0.1:${await freePort()}`);
  const spans = IS_FULL_PROOF ? 1_000_000 : 100_000;
  // Some turns of the event loop between them, so that the queue may send.
  for (let i = 0; i < spans / 2; i++) {
    request(tracer);
    if (i % 10_000 === 0) await new Promise(setImmediate);
  }
  t.true(counts.dropped + counts.failed >= spans - 2_048 - 512, JSON.stringify(counts));
  await tracer.close();
  t.deepEqual({ all: counts.dropped + counts.failed, sent: counts.sent }, { all: spans, sent: 0 });
});
