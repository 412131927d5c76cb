import type { Bench } from '../bench.ts';
import type { ChildServer } from '../child-server.ts';
import { type Contestant, compare, runContest } from '../contest.ts';
import { freePort } from '../free-port.ts';
import { openLoadGenerator, type Run } from '../load-generator.ts';
import { residentMb } from '../process-tree.ts';
import { GET_10_KB, GET_SMALL, POST_64_KB, post } from '../requests.ts';
import type { Row, Target } from '../row.ts';
import { createSignups, type Signup } from '../signups.ts';
import { streamSlowly } from '../slow-readers.ts';
import { openUpstream, openWorkshop, type Workshop } from '../workshop.ts';
import { besideLeavers } from './leaver-rows.ts';
import { measurePeers } from './peer-rows.ts';
import { besideSlowSockets } from './slow-socket-rows.ts';

const CONNECTIONS = 64;
const SEED = 77;
const OURS = 'Gatekeeper';
const YARDSTICK = 'http-proxy';
const DIRECT = 'no proxy';
const UNGATED = 'its own plain pass-through';

/** The gate in front of an app that does nothing, against http-proxy in front of the same app. */
export async function measureGate(bench: Bench): Promise<readonly Row[]> {
  const { rounds, requests: count, datasets } = bench;
  const generator = openLoadGenerator();
  const servers: ChildServer[] = [];
  let workshop: Workshop | null = null;
  try {
    const upstream = await openUpstream();
    servers.push(upstream);
    const gatePort = await freePort();
    workshop = openWorkshop(gateConfig(gatePort, upstream.port));
    const gatekeeper = { ...(await workshop.openGatekeeper()), port: gatePort };
    servers.push(gatekeeper);
    const yardstick = await workshop.openYardstick('http-proxy.js', String(upstream.port));
    servers.push(yardstick);
    const race = async (work: string, request: string, load: { times: number; target: Target }) => {
      const contestants = [gatekeeper, yardstick].map((server, i) => ({
        name: i === 0 ? OURS : YARDSTICK,
        server,
        load: { requests: [request], count: Math.ceil(count * load.times), connections: CONNECTIONS },
      }));
      const samples = await runContest(contestants, { generator, rounds });
      return compare(samples, { work, ours: OURS, yardstick: YARDSTICK, target: load.target });
    };
    const next = createSignups(datasets.current, SEED);
    const signups = Array.from({ length: 2_000 }, next);
    return [
      ...(await race('pass-through, small GET', GET_SMALL, { times: 1, target: atLeast(1.3, 2.0) })),
      ...(await race('pass-through, 10 KB answer', GET_10_KB, { times: 1, target: atLeast(1.2, 1.6) })),
      ...(await race('pass-through, 64 KB upload', POST_64_KB, { times: 0.25, target: atLeast(1.0, 1.3) })),
      await addedLatency({ gatekeeper, yardstick, upstream }, { generator, rounds, count }),
      ...(await gatedSignups({ gatekeeper, yardstick }, signups, { generator, rounds, count })),
      ...(await leavers({ gatekeeper, yardstick }, signups, { generator, rounds, count })),
      await besideSlowSockets(gatekeeper, { generator, rounds, count }),
      await streamingMemory(gatekeeper),
      ...(await measurePeers(
        { gatekeeper, upstream, folder: workshop.folder },
        { generator, rounds, count },
      )),
    ];
  } finally {
    generator.close();
    await Promise.all(servers.map((server) => server.stop()));
    workshop?.close();
  }
}

/** The time that a proxy adds to the median answer at one connection, as a share of the time that http-proxy adds. */
async function addedLatency(
  servers: Readonly<Record<'gatekeeper' | 'yardstick' | 'upstream', ChildServer>>,
  { generator, rounds, count }: Run,
): Promise<Row> {
  const load = { requests: [GET_SMALL], count: Math.ceil(count / 8), connections: 1 };
  const contestants: readonly Contestant[] = [
    { name: OURS, server: servers.gatekeeper, load },
    { name: YARDSTICK, server: servers.yardstick, load },
    { name: DIRECT, server: servers.upstream, load },
  ];
  const samples = await runContest(contestants, { generator, rounds });
  const p50 = (name: string) => (samples.get(name) ?? []).map(({ p50Ms }) => p50Ms);
  const [ours, theirs, direct] = [p50(OURS), p50(YARDSTICK), p50(DIRECT)];
  const added = (side: readonly number[], round: number) => (side[round] ?? 0) - (direct[round] ?? 0);
  return {
    name: `added p50 at one connection, against ${YARDSTICK}'s`,
    unit: '×',
    target: { bound: 'at_most', must: 0.8, aim: 0.6 },
    values: ours.map((_, round) => added(ours, round) / added(theirs, round)),
    note: null,
  };
}

/** The rows above when some clients disconnect before their answers. */
async function leavers(
  { gatekeeper, yardstick }: Readonly<Record<'gatekeeper' | 'yardstick', ChildServer>>,
  signups: readonly Signup[],
  run: Run,
): Promise<readonly Row[]> {
  const works = [
    { work: 'pass-through, small GET', requests: [GET_SMALL], times: 1 },
    { work: 'pass-through, 64 KB upload', requests: [POST_64_KB], times: 0.25 },
    { work: 'gated signup', requests: signups.map((signup) => signupRequest('/signup', signup)), times: 1 },
  ];
  const rows: Row[] = [];
  for (const { work, requests, times } of works) {
    const load = { requests, count: Math.ceil(run.count * times), connections: CONNECTIONS };
    const servers = [gatekeeper, yardstick] as const;
    rows.push(...(await besideLeavers({ work, ours: OURS, yardstick: YARDSTICK, servers, load }, run)));
  }
  return rows;
}

/**
 * The same POST, judged by the gate and forwarded by http-proxy; and the cost of judging compared with passing it
 * through the same gate.
 */
async function gatedSignups(
  { gatekeeper, yardstick }: Readonly<Record<'gatekeeper' | 'yardstick', ChildServer>>,
  signups: readonly Signup[],
  { generator, rounds, count }: Run,
): Promise<readonly Row[]> {
  const load = (path: string) => ({
    requests: signups.map((signup) => signupRequest(path, signup)),
    count,
    connections: CONNECTIONS,
  });
  const samples = await runContest(
    [
      { name: OURS, server: gatekeeper, load: load('/signup') },
      { name: YARDSTICK, server: yardstick, load: load('/signup') },
      { name: UNGATED, server: gatekeeper, load: load('/comment') },
    ],
    { generator, rounds },
  );
  const against = (yardstick: string, target: Target | null) =>
    compare(samples, { work: 'gated signup', ours: OURS, yardstick, target });
  return [...against(YARDSTICK, atLeast(0.6, 1.0)), ...against(UNGATED, atLeast(0.45, 0.6))];
}

async function streamingMemory(gatekeeper: ChildServer): Promise<Row> {
  const idleMb = residentMb(gatekeeper.pid);
  let mostMb = idleMb;
  await streamSlowly(gatekeeper.port, '/stream', () => {
    mostMb = Math.max(mostMb, residentMb(gatekeeper.pid));
  });
  return {
    name: 'memory added by streaming 100 MB to 8 slow readers',
    unit: 'MB',
    target: { bound: 'at_most', must: 64, aim: 40 },
    values: [mostMb - idleMb],
    note: `on top of ${idleMb.toFixed(0)} MB`,
  };
}

/**
 * Every signup is forwarded, so that both paths end at the app; judging and writing stay the same. The gate must not
 * refuse work on a busy machine, because no yardstick refuses work.
 */
function gateConfig(port: number, upstreamPort: number): string {
  return `
proxy:
  listen: 127.0.0.1:${port}
  upstream: http://127.0.0.1:${upstreamPort}
  trusted_proxies: [127.0.0.1]
  routes:
    - {name: signup, path: /signup, on_medium: forward, on_high: forward}
server: {max_lag: 60s}
`;
}

function signupRequest(path: string, { email, ip_address, user_agent }: Signup): string {
  const body = JSON.stringify({ name: 'Maria Fischer', email, password: 'correct horse battery staple' });
  return post(path, 'application/json', body, [
    `X-Forwarded-For: ${ip_address}`,
    `User-Agent: ${user_agent}`,
    'Accept: application/json',
    'Accept-Language: de-DE,de;q=0.9,en;q=0.8',
    'Origin: https://shop.internal',
  ]);
}

function atLeast(must: number, aim: number): Target {
  return { bound: 'at_least', must, aim };
}
