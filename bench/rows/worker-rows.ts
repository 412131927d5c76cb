import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import { type Contestant, runContest, type Sample } from '../contest.ts';
import { openCountersServer } from '../engines.ts';
import { openLoadGenerator } from '../load-generator.ts';
import { medianOf, type Row } from '../row.ts';
import { createSignups, toRequest } from '../signups.ts';
import { openWorkshop, type Workshop } from '../workshop.ts';

const SEED = 53;
const DISTINCT_SIGNUPS = 5_000;
const CONNECTIONS = 64;
const WORKERS = [1, 2] as const;
const DELAY_PROBE = new URL('../yardsticks/event-loop-delay.js', import.meta.url).href;

/**
 * One process and two workers, on SQLite and Redis. Not pinned: the processes, Redis and the load generator share all
 * cores of the machine.
 */
export async function measureWorkers({ rounds, requests: count, datasets }: Bench): Promise<readonly Row[]> {
  const signups = Array.from({ length: DISTINCT_SIGNUPS }, createSignups(datasets.current, SEED));
  const redis = await openCountersServer();
  const generator = openLoadGenerator();
  const workshops = WORKERS.map((workers) => openWorkshop(`workers: ${workers}\n`, storageOf(redis.url)));
  const folders = WORKERS.map(() => mkdtempSync(join(tmpdir(), 'gatekeeper-bench-delays-')));
  const contestants: Contestant[] = [];
  try {
    for (const [i, workshop] of workshops.entries()) {
      const server = await openProbed(workshop, folders[i] ?? '');
      const requests = signups.map((signup) => toRequest(signup, workshop.key));
      contestants.push({
        name: String(WORKERS[i]),
        server,
        load: { requests, count, connections: CONNECTIONS },
      });
    }
    const samples = await runContest(contestants, { generator, rounds });
    // A process writes its delay when it ends.
    await Promise.all(contestants.map(({ server }) => server.stop()));
    const [one = [], two = []] = WORKERS.map((workers) => samples.get(String(workers)) ?? []);
    const [oneDelays = [], twoDelays = []] = folders.map(readDelays);
    return [
      {
        name: 'two workers on SQLite and Redis, against one process, throughput',
        unit: '×',
        target: { bound: 'at_least', must: 0.8, aim: 0.9 },
        values: two.map(({ perSecond }, i) => perSecond / (one[i]?.perSecond ?? Number.NaN)),
        note: `${shown(two)}; one process ${shown(one)}`,
      },
      {
        name: 'two workers on SQLite and Redis, against one process, CPU of a request',
        unit: '×',
        target: null,
        values: two.map(({ cpuUs }, i) => cpuUs / (one[i]?.cpuUs ?? Number.NaN)),
        note: null,
      },
      {
        name: 'event-loop lag at p99, the slowest of three processes with two workers',
        unit: 'ms',
        target: { bound: 'at_most', must: 20, aim: 10 },
        values: [Math.max(...twoDelays)],
        note: `one process ${Math.max(...oneDelays).toFixed(1)} ms`,
      },
    ];
  } finally {
    await Promise.all(contestants.map(({ server }) => server.stop()));
    generator.close();
    for (const workshop of workshops) workshop.close();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    await redis.close();
  }
}

function storageOf(countersUrl: string): string {
  return [
    `storage: {records: "sqlite:./data/gatekeeper.db", counters: "${countersUrl}"}`,
    `privacy: {hash_secret: "the secret of a measurement that all workers share"}`,
    '',
  ].join('\n');
}

function openProbed(workshop: Workshop, folder: string) {
  return workshop.openGatekeeper({
    onAnyCore: true,
    env: { NODE_OPTIONS: `--import=${DELAY_PROBE}`, EVENT_LOOP_DELAYS: folder },
  });
}

/** In milliseconds, one for each process. */
function readDelays(folder: string): readonly number[] {
  return readdirSync(folder).map((name) => Number(readFileSync(join(folder, name), 'utf8')));
}

function shown(samples: readonly Sample[]): string {
  const median = (figure: (sample: Sample) => number) => medianOf(samples.map(figure)).toFixed(0);
  return `${median(({ perSecond }) => perSecond)} a second, ${median(({ cpuUs }) => cpuUs)} µs of CPU, p99 ${median(({ p99Ms }) => p99Ms)} ms`;
}
