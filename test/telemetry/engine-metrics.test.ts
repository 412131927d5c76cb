import test from 'ava';
import { createExposition } from '../../src/telemetry/exposition.ts';
import type { MeasuredMemory } from '../../src/telemetry/metric-sources.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { createSummedMetrics } from '../../src/telemetry/summed-metrics.ts';

function openProcess({
  memory = null,
  ahead = null,
  held = [],
}: {
  readonly memory?: MeasuredMemory | null;
  readonly ahead?: number | null;
  readonly held?: readonly string[];
} = {}) {
  const metrics = createMetrics();
  const exposition = createExposition({
    ...{ metrics, lagMs: () => 0, recordsQueueLength: () => 0, clock: () => 0 },
    status: () => ({ datasets: [], seesUntrustedForwarding: false, certificateExpiresAt: null }),
    isOld: () => false,
    engines: async () => ({ records: true, counters: true }),
    fleet: () => null,
    countersMemory: () => memory,
    partitionsAhead: async () => ahead,
    jobs: () =>
      held.length === 0
        ? []
        : ['aggregation', 'retention'].map((task) => ({ task, isHeld: held.includes(task) })),
    exports: () => [],
  });
  return { metrics, exposition };
}

function numberOf(text: string, series: string): number | null {
  const line = text.split('\n').find((one) => one.startsWith(`gatekeeper_${series} `));
  return line === undefined ? null : Number(line.slice(line.lastIndexOf(' ') + 1));
}

test('calls to engines are timed by operation, and what became of a group in doubt is counted', async (t) => {
  const { metrics, exposition } = openProcess();
  metrics.records.called('write_group', 3);
  metrics.records.called('write_group', 2_000);
  metrics.sharedCounters.called('observe', 0.4);
  metrics.records.inDoubt('written');
  metrics.records.inDoubt('not_written');
  metrics.records.inDoubt('written');
  const text = await exposition.render();
  const group = 'engine="records",operation="write_group"';
  t.is(numberOf(text, `engine_call_seconds_bucket{${group},le="0.0025"}`), 0);
  t.is(numberOf(text, `engine_call_seconds_bucket{${group},le="0.003"}`), 1);
  t.is(numberOf(text, `engine_call_seconds_bucket{${group},le="1"}`), 1);
  t.is(numberOf(text, `engine_call_seconds_bucket{${group},le="+Inf"}`), 2);
  t.is(numberOf(text, `engine_call_seconds_sum{${group}}`), 2.003);
  t.is(numberOf(text, 'engine_call_seconds_count{engine="counters",operation="observe"}'), 1);
  t.is(numberOf(text, 'records_in_doubt_total{outcome="written"}'), 2);
  t.is(numberOf(text, 'records_in_doubt_total{outcome="not_written"}'), 1);
});

test('a process alone has no shared memory and no partitions, and one that shares them says how they are', async (t) => {
  const alone = await openProcess().exposition.render();
  for (const name of ['counters_memory_ratio', 'counters_lifetimes_shortened', 'partitions_ahead'])
    t.is(numberOf(alone, name), null, name);
  t.is(numberOf(alone, 'job_held{task="retention"}'), null);
  const { exposition } = openProcess({
    ...{ memory: { usedShare: 0.85, isNearlyFull: true }, ahead: 14, held: ['retention'] },
  });
  const text = await exposition.render();
  t.is(numberOf(text, 'counters_memory_ratio'), 0.85);
  t.is(numberOf(text, 'counters_lifetimes_shortened'), 1);
  t.is(numberOf(text, 'partitions_ahead'), 14);
  t.is(numberOf(text, 'job_held{task="retention"}'), 1);
  t.is(numberOf(text, 'job_held{task="aggregation"}'), 0);
});

test('of several processes, calls are added up and the worst state counts', async (t) => {
  const parent = openProcess({ held: ['aggregation'] });
  const workers = [0.5, 0.9].map((usedShare, i) =>
    openProcess({ memory: { usedShare, isNearlyFull: usedShare > 0.8 }, ahead: 14 - i }),
  );
  for (const { metrics } of workers) metrics.sharedCounters.called('observe', 1);
  const sum = createSummedMetrics();
  for (const [i, { exposition }] of [parent, ...workers].entries())
    sum.update(String(i), await exposition.snapshot());
  const text = await sum.exposition.render();
  t.is(numberOf(text, 'engine_call_seconds_count{engine="counters",operation="observe"}'), 2);
  t.is(numberOf(text, 'counters_memory_ratio'), 0.9);
  t.is(numberOf(text, 'counters_lifetimes_shortened'), 1);
  t.is(numberOf(text, 'partitions_ahead'), 13);
  t.is(numberOf(text, 'job_held{task="aggregation"}'), 1);
});
