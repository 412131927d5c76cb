import type { ExecutionContext } from 'ava';
import { isOld } from '../../src/datasets/feed-age.ts';
import { createExposition } from '../../src/telemetry/exposition.ts';
import type { Metrics } from '../../src/telemetry/metrics.ts';

const NOON = Date.UTC(2026, 10, 21, 12);

/** The lines of the exposition with values, by the text before the number. */
export async function read(metrics: Metrics): Promise<ReadonlyMap<string, number>> {
  const text = await exposition(metrics).render();
  const lines = text.split('\n').filter((line) => line.startsWith('gatekeeper_'));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice('gatekeeper_'.length, end), Number(line.slice(end + 1))] as const;
    }),
  );
}

export function exposition(metrics: Metrics) {
  return createExposition({
    metrics,
    lagMs: () => 12.5,
    recordsQueueLength: () => 3,
    status: () => ({
      seesUntrustedForwarding: true,
      certificateExpiresAt: NOON + 86_400_000,
      datasets: [
        { name: 'roles', date: '2026-11-20', fetchedAt: null, failure: null, oldAfterMs: null },
        {
          name: 'tor',
          date: '2026-11-21',
          fetchedAt: NOON - 60_000,
          failure: 'no answer',
          oldAfterMs: 90_000,
        },
        { name: 'vpn', date: 'never', fetchedAt: null, failure: 'no answer', oldAfterMs: 90_000 },
      ],
    }),
    isOld,
    engines: async () => ({ records: true, counters: false }),
    fleet: () => null,
    countersMemory: () => null,
    partitionsAhead: async () => null,
    jobs: () => [],
    exports: () => [
      { name: 'warehouse', progress: { waiting: 12, givenUp: 5, failingSince: NOON - 90_000 } },
      { name: 'alerts', progress: { waiting: 0, givenUp: 0, failingSince: null } },
      { name: 'new', progress: null },
    ],
    clock: () => NOON,
  });
}

export function contains(
  t: ExecutionContext,
  seen: ReadonlyMap<string, number>,
  expected: Record<string, number>,
) {
  for (const [name, value] of Object.entries(expected)) t.is(seen.get(name), value, name);
}
