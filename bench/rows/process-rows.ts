import { get } from 'node:http';
import type { Bench } from '../bench.ts';
import type { ChildServer } from '../child-server.ts';
import { openEngines } from '../engines.ts';
import { openLoadGenerator } from '../load-generator.ts';
import { cpuTimeUs, residentMb } from '../process-tree.ts';
import type { Row } from '../row.ts';
import { createDistinctSignups, createSignups, toRequest } from '../signups.ts';
import { openWorkshop, type Workshop } from '../workshop.ts';

const SEED = 31;
const WITH_ENGINES = ', on PostgreSQL and Redis';
const SETTLE_MS = 2_000;
const MILLION = 1_000_000;
/** After this many signups the memory is read: twenty readings. */
const STEP = 50_000;
const CONNECTIONS = 64;
const TRY_EVERY_MS = 5;

/**
 * The time from the start of the process until `/readyz` answers 200, and the memory used then. One start for each
 * round.
 */
export function measureStart(bench: Bench): Promise<readonly Row[]> {
  return measureStarts(bench, openWorkshop(), '');
}

/** The same with both engines near. */
export async function measureFleetStart(bench: Bench): Promise<readonly Row[]> {
  const engines = await openEngines(1);
  try {
    return await measureStarts(bench, openWorkshop('', engines.storage), WITH_ENGINES);
  } finally {
    await engines.close();
  }
}

/** Closes the workshop. */
async function measureStarts(
  { rounds, datasets }: Bench,
  workshop: Workshop,
  suffix: string,
): Promise<readonly Row[]> {
  const readyS: number[] = [];
  const cpuS: number[] = [];
  const idleMb: number[] = [];
  const next = createSignups(datasets.current, SEED);
  const generator = openLoadGenerator();
  try {
    for (let round = 0; round < rounds; round++) {
      const startedAt = performance.now();
      const server = await workshop.openGatekeeper({ onAnyCore: true });
      try {
        await untilReady(server);
        readyS.push((performance.now() - startedAt) / 1_000);
        cpuS.push(cpuTimeUs(server.pid) / 1_000_000);
        const requests = [toRequest(next(), workshop.key)];
        await generator.run({ port: server.port, requests, count: 1, connections: 1 });
        await wait(SETTLE_MS);
        idleMb.push(residentMb(server.pid));
      } finally {
        await server.stop();
      }
    }
  } finally {
    generator.close();
    workshop.close();
  }
  return [
    {
      name: `from start to ready${suffix}`,
      unit: 's',
      target: { bound: 'at_most', must: 2, aim: 0.8 },
      values: readyS,
      note: null,
    },
    { name: `CPU time until ready${suffix}`, unit: 's', target: null, values: cpuS, note: null },
    {
      name: `resident memory with all data loaded, idle${suffix}`,
      unit: 'MB',
      target: { bound: 'at_most', must: 200, aim: 140 },
      values: idleMb,
      note: 'two seconds after the first request',
    },
  ];
}

/**
 * A million signups over HTTP at full speed, each with a new mailbox and a new address: far more than a million in ten
 * minutes. Flat means that the second half million adds nearly no memory.
 */
export function measureMillion(_: Bench): Promise<readonly Row[]> {
  return measureMillionOn(openWorkshop(), '');
}

/** The same with both engines: what a node keeps is the same, and so is its bound. */
export async function measureFleetMillion(_: Bench): Promise<readonly Row[]> {
  const engines = await openEngines(1);
  try {
    return await measureMillionOn(openWorkshop('', engines.storage), WITH_ENGINES);
  } finally {
    await engines.close();
  }
}

/** Closes the workshop. */
async function measureMillionOn(workshop: Workshop, suffix: string): Promise<readonly Row[]> {
  const generator = openLoadGenerator();
  try {
    const server = await workshop.openGatekeeper();
    try {
      return await sendMillion(server, { key: workshop.key, suffix }, generator);
    } finally {
      await server.stop();
    }
  } finally {
    generator.close();
    workshop.close();
  }
}

async function sendMillion(
  server: ChildServer,
  { key, suffix }: { readonly key: string; readonly suffix: string },
  generator: ReturnType<typeof openLoadGenerator>,
): Promise<readonly Row[]> {
  const next = createDistinctSignups(SEED);
  const readingsMb: number[] = [];
  let elapsedMs = 0;
  for (let sent = 0; sent < MILLION; sent += STEP) {
    const requests = Array.from({ length: STEP }, () => toRequest(next(), key));
    const { port } = server;
    const result = await generator.run({ port, requests, count: STEP, connections: CONNECTIONS });
    elapsedMs += result.elapsedMs;
    readingsMb.push(residentMb(server.pid));
  }
  const half = readingsMb.slice(0, readingsMb.length / 2);
  const growthMb = Math.max(...readingsMb) - Math.max(...half);
  return [
    {
      name: `resident memory, a million distinct mailboxes and addresses${suffix}`,
      unit: 'MB',
      target: { bound: 'at_most', must: 350, aim: 250 },
      values: [Math.max(...readingsMb)],
      note: `the most of ${readingsMb.length} readings: ${readingsMb.map((mb) => mb.toFixed(0)).join(' ')}; in ${(elapsedMs / 1_000).toFixed(0)} s`,
    },
    {
      name: `what the second half of them added to the most of the first${suffix}`,
      unit: 'MB',
      target: { bound: 'at_most', must: 20, aim: 5 },
      values: [growthMb],
      note: 'flat is: next to nothing',
    },
  ];
}

async function untilReady({ port }: ChildServer): Promise<void> {
  while ((await statusOf(port, '/readyz')) !== 200) await wait(TRY_EVERY_MS);
}

function statusOf(port: number, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, agent: false }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    }).on('error', reject);
  });
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
