import { readFileSync } from 'node:fs';
import test from 'ava';
import { createExposition } from '../../src/telemetry/exposition.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';

test('the page about the metrics lists every one, with its labels, and no other', async (t) => {
  const page = readFileSync(new URL('../../docs/metrics.md', import.meta.url), 'utf8');
  const documented = new Map(
    [...page.matchAll(/^\| `(gatekeeper_\w+)` \|([^|]*)\|/gm)].map(([, name = '', labels = '']) => [
      name,
      [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label),
    ]),
  );
  const metrics = createMetrics();
  const text = await createExposition({
    ...{ metrics, lagMs: () => 0, recordsQueueLength: () => 0, clock: () => 0 },
    status: () => ({ datasets: [], seesUntrustedForwarding: false, certificateExpiresAt: null }),
    isOld: () => false,
    engines: async () => ({ records: true, counters: true }),
    fleet: () => null,
    countersMemory: () => null,
    partitionsAhead: async () => null,
    jobs: () => [],
    exports: () => [],
  }).render();
  const exposed = [...text.matchAll(/^# TYPE (gatekeeper_\w+)/gm)].map(([, name = '']) => name);
  t.deepEqual([...documented.keys()].sort(), exposed.sort());
  for (const { name, labels } of metrics.counters) {
    t.deepEqual(documented.get(`gatekeeper_${name}`), [...labels], name);
  }
});
