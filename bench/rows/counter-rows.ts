import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import type { Counters, Observation } from '../../src/counters/counters.ts';
import type { Bench } from '../bench.ts';
import { freePort } from '../free-port.ts';
import { onServerCore, withLoadCore } from '../machine.ts';
import { medianOf, type Row } from '../row.ts';

const CALLS_A_ROUND = 3_000;
const WARM_UP_CALLS = 5_000;
const MEMBERS_PER_KEY = 512;
/** The number of networks that the signups share. */
const NETWORKS = 400;

/** What counting in Redis adds to one decision at one connection, as a ratio to a PING in the same round. */
export async function measureCounters({ built, rounds }: Bench): Promise<readonly Row[]> {
  if (spawnSync('redis-server', ['--version']).status !== 0) throw new Error('redis-server is missing here');
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'gatekeeper-bench-redis-'));
  const [program, ...args] = onServerCore([
    ...(['redis-server', '--port', String(port), '--dir', folder, '--bind', '127.0.0.1'] as const),
    ...['--save', '', '--appendonly', 'no'],
  ]);
  const server = spawn(program, args, { stdio: 'ignore' });
  const client = new Redis({
    host: '127.0.0.1',
    port,
    protocol: 2,
    maxRetriesPerRequest: null,
    retryStrategy: () => 20,
  });
  client.on('error', () => {});
  try {
    await client.ping();
    return await withLoadCore(() => measure({ built, rounds, port, client }));
  } finally {
    client.disconnect();
    server.kill();
    await once(server, 'exit');
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Server extends Pick<Bench, 'built' | 'rounds'> {
  readonly port: number;
  readonly client: Redis;
}

async function measure({ built, rounds, port, client }: Server): Promise<readonly Row[]> {
  const local = () => built.createMemoryCounters({ membersPerKey: MEMBERS_PER_KEY });
  const memory = local();
  const shared = await built.openRedisCounters({
    url: `redis://127.0.0.1:${port}`,
    secret: 'a benchmark keeps nothing',
    local: local(),
    metrics: { fellBack() {}, lost() {}, called() {} },
    log: { info() {}, warn() {} },
    refill: async () => 0,
    nodesAlive: () => 1,
    clock: Date.now,
  });
  let round = 0;
  const observe = async (counters: Counters) => {
    const counts = counters.observe(observationsOf(round++), Date.now());
    if (counts instanceof Promise) await counts;
  };
  const ping = () => client.ping();
  const timed = async (call: () => Promise<unknown>, calls = CALLS_A_ROUND): Promise<number> => {
    const begunAt = performance.now();
    for (let i = 0; i < calls; i++) await call();
    return ((performance.now() - begunAt) * 1_000) / calls;
  };
  for (const call of [ping, () => observe(shared), () => observe(memory)]) await timed(call, WARM_UP_CALLS);
  const figures = {
    ping: [] as number[],
    shared: [] as number[],
    memory: [] as number[],
    server: [] as number[],
  };
  for (let i = 0; i < rounds; i++) {
    figures.ping.push(await timed(ping));
    figures.memory.push(await timed(() => observe(memory)));
    const before = await serverMicros(client);
    figures.shared.push(await timed(() => observe(shared)));
    figures.server.push(((await serverMicros(client)) - before) / CALLS_A_ROUND);
  }
  await shared.close();
  const added = figures.shared.map((micros, i) => micros - (figures.memory[i] ?? 0));
  const shown = (name: keyof typeof figures) => `${medianOf(figures[name]).toFixed(1)} µs`;
  return [
    {
      name: 'velocity through Redis, added to one decision, against a PING',
      unit: '×',
      target: { bound: 'at_most', must: 4, aim: 2.5 },
      values: added.map((micros, i) => micros / (figures.ping[i] ?? Number.NaN)),
      note: `PING ${shown('ping')}, one decision's counters in Redis ${shown('shared')}, in memory ${shown('memory')}`,
    },
    {
      name: 'CPU of Redis for one decision',
      unit: 'µs',
      target: { bound: 'at_most', must: 70, aim: 45 },
      values: figures.server,
      note: 'seven sorted sets in one script, a third of the networks known',
    },
  ];
}

/** Time that the server spent in scripts so far. */
async function serverMicros(client: Redis): Promise<number> {
  const stats = String(await client.info('commandstats'));
  return Number(/cmdstat_evalsha:calls=\d+,usec=(\d+)/.exec(stats)?.[1] ?? 0);
}

/** The observations of an ordinary signup: a new person, from a network and a company that may be known. */
function observationsOf(round: number): readonly Observation[] {
  const network = `1 10.${round % NETWORKS}.0.0/24`;
  const member = `mailbox-pseudonym-${round}`;
  const company = `1 company-${round % 5_000}.example`;
  return [
    { dimension: 'ip', key: `1 address-pseudonym-${round}`, member },
    { dimension: 'subnet', key: network, member },
    { dimension: 'device', key: `${network} agent-pseudonym-${round % 3}`, member },
    { dimension: 'mailbox', key: `1 ${member}`, member: `spelling-${round}`, isProvisional: true },
    { dimension: 'domain', key: company, member, isProvisional: true },
    { dimension: 'colleagues', key: `${company} address-pseudonym-${round}`, member },
    { dimension: 'template', key: `1 template-${round % 1_000}`, member: company, isProvisional: true },
  ];
}
