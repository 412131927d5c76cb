import test from 'ava';
import { createExposition } from '../../src/telemetry/exposition.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { createSummedMetrics } from '../../src/telemetry/summed-metrics.ts';

/** The metrics of one process, whose event loop lags by so much. */
function openProcess(lagMs: number) {
  const metrics = createMetrics();
  const exposition = createExposition({
    metrics,
    lagMs: () => lagMs,
    recordsQueueLength: () => lagMs,
    status: () => ({ datasets: [], seesUntrustedForwarding: false, certificateExpiresAt: null }),
    engines: async () => ({ records: true, counters: lagMs < 100 }),
    fleet: () => null,
    countersMemory: () => null,
    partitionsAhead: async () => null,
    jobs: () => [],
    exports: () => [],
    isOld: () => false,
    clock: () => 0,
  });
  return { metrics, exposition };
}

function numberOf(text: string, series: string): number {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1));
}

test('counts of processes are added up, and of a gauge the worst value is shown', async (t) => {
  const [one, two] = [openProcess(50), openProcess(200)];
  for (const [times, { metrics }] of [[2, one] as const, [3, two] as const]) {
    for (let i = 0; i < times; i++) {
      metrics.api.answered(200, 'ok');
      metrics.judging.api.add(0.2);
    }
  }
  const sum = createSummedMetrics();
  sum.update('one', await one.exposition.snapshot());
  sum.update('two', await two.exposition.snapshot());
  const text = await sum.exposition.render();
  t.is(numberOf(text, 'gatekeeper_api_answers_total{status="200",code="ok"}'), 5);
  t.is(numberOf(text, 'gatekeeper_judging_seconds_count{door="api"}'), 5);
  t.is(numberOf(text, 'gatekeeper_judging_seconds_bucket{door="api",le="0.0001"}'), 0);
  t.is(numberOf(text, 'gatekeeper_judging_seconds_bucket{door="api",le="0.0002"}'), 5);
  t.is(numberOf(text, 'gatekeeper_event_loop_lag_seconds'), 0.2);
  t.is(numberOf(text, 'gatekeeper_records_queue_length'), 250);
  t.is(numberOf(text, 'gatekeeper_processes'), 2);
  t.is(numberOf(text, 'gatekeeper_engine_up{engine="counters"}'), 0);
  t.is(numberOf(text, 'gatekeeper_engine_up{engine="records"}'), 1);
});

test('a sum of one process has the metrics of that process', async (t) => {
  const { metrics, exposition } = openProcess(1);
  metrics.gate.came('pass');
  const sum = createSummedMetrics();
  sum.update('one', await exposition.snapshot());
  const typesOf = (text: string) =>
    [...text.matchAll(/^# TYPE ((?:gatekeeper|process)_\S+ \S+)$/gm)].map(([, one]) => one);
  t.deepEqual(typesOf(await sum.exposition.render()).sort(), typesOf(await exposition.render()).sort());
});

test('no count decreases when a process ends, however often one ends', async (t) => {
  const sum = createSummedMetrics();
  const shown: number[] = [];
  for (let i = 0; i < 20; i++) {
    const { metrics, exposition } = openProcess(1);
    for (let n = 0; n <= i; n++) metrics.api.answered(200, 'ok');
    sum.update(`process ${i}`, await exposition.snapshot());
    shown.push(
      numberOf(await sum.exposition.render(), 'gatekeeper_api_answers_total{status="200",code="ok"}'),
    );
    sum.retire(`process ${i}`);
    const text = await sum.exposition.render();
    shown.push(numberOf(text, 'gatekeeper_api_answers_total{status="200",code="ok"}'));
    t.true(Number.isNaN(numberOf(text, 'gatekeeper_records_queue_length')), 'a gauge ends with its process');
  }
  t.deepEqual(
    shown,
    shown.toSorted((a, b) => a - b),
  );
  t.is(shown.at(-1), 210);
});

test('a process that ends before its first numbers leaves nothing', async (t) => {
  const sum = createSummedMetrics();
  sum.retire('unknown');
  t.is((await sum.exposition.render()).trim(), '');
});
