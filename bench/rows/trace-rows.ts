import type { Bench } from '../bench.ts';
import { type Contestant, runContest, type Sample } from '../contest.ts';
import { openLoadGenerator } from '../load-generator.ts';
import { medianOf, type Row } from '../row.ts';
import { createSignups, toRequest } from '../signups.ts';
import { openUpstream, openWorkshop, type Workshop } from '../workshop.ts';

const SEED = 59;
const DISTINCT_SIGNUPS = 5_000;
const CONNECTIONS = 64;
const SAMPLES = [0.01, 1] as const;

/** What traces add to the CPU time of a signup at the API, with a receiver that accepts them. */
export async function measureTraces({ rounds, requests: count, datasets }: Bench): Promise<readonly Row[]> {
  const signups = Array.from({ length: DISTINCT_SIGNUPS }, createSignups(datasets.current, SEED));
  const generator = openLoadGenerator();
  const receiver = await openUpstream();
  const workshops: Workshop[] = [];
  const contestants: Contestant[] = [];
  try {
    for (const sample of [0, ...SAMPLES]) {
      const traces = `telemetry: {traces: {otlp: "http://127.0.0.1:${receiver.port}", sample: ${sample}}}\n`;
      const workshop = openWorkshop(sample === 0 ? '' : traces);
      workshops.push(workshop);
      const server = await workshop.openGatekeeper();
      const requests = signups.map((signup) => toRequest(signup, workshop.key));
      contestants.push({
        name: String(sample),
        server,
        load: { requests, count, connections: CONNECTIONS },
      });
    }
    const samples = await runContest(contestants, { generator, rounds });
    const without = samples.get('0') ?? [];
    return SAMPLES.map((sample) => {
      const traced = samples.get(String(sample)) ?? [];
      return {
        name: `CPU that traces add to a request of the API, sample ${sample}`,
        unit: 'µs',
        target: null,
        values: traced.map(({ cpuUs }, i) => cpuUs - (without[i]?.cpuUs ?? Number.NaN)),
        note: `${cpuOf(traced)} µs, without traces ${cpuOf(without)} µs`,
      };
    });
  } finally {
    await Promise.all([receiver, ...contestants.map(({ server }) => server)].map((server) => server.stop()));
    generator.close();
    for (const workshop of workshops) workshop.close();
  }
}

function cpuOf(samples: readonly Sample[]): string {
  return medianOf(samples.map(({ cpuUs }) => cpuUs)).toFixed(0);
}
