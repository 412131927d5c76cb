import { randomBytes } from 'node:crypto';
import test from 'ava';
import { type ComposeNode, openReceivingApp, startComposeFleet } from '../helpers/compose-fleet.ts';
import {
  connectPostgres,
  MISSING_POSTGRES,
  type OwnPostgres,
  startOwnPostgres,
} from '../helpers/postgres-server.ts';
import { isInstalled } from '../helpers/programs.ts';
import { pause, REDIS_PROGRAMS, type RedisServer, startRedis } from '../helpers/redis-server.ts';
import { until } from '../helpers/shared-counters.ts';
import { createRandom, type Random } from '../helpers/signup-crowd.ts';
import { loadFleet, newAnswers, rowsAgree } from './chaos-load.ts';

// Three nodes with the configuration of deploy/compose, behind its HAProxy, while everything but the balancer is stopped and
// killed at random. GATEKEEPER_CHAOS_SECONDS sets for how long, GATEKEEPER_CHAOS_RATE how many requests a second are tried,
// GATEKEEPER_CHAOS_SEED what happens in which order.
const MISSING =
  MISSING_POSTGRES ??
  (REDIS_PROGRAMS.length === 0 ? 'Redis is missing here' : null) ??
  (isInstalled('haproxy') ? null : 'HAProxy is missing here');
const run = MISSING === null ? test.serial : test.serial.skip;
const SECONDS = Number(process.env.GATEKEEPER_CHAOS_SECONDS ?? 25);
const PER_SECOND = Number(process.env.GATEKEEPER_CHAOS_RATE ?? 60);
const SEED = Number(process.env.GATEKEEPER_CHAOS_SEED ?? 20_261_123);
const NODES = 3;
const BUG = /unhandled|internal_error|a request failed|"level":"fatal"/i;
const SHOWN = 3;
const READY_WITHIN_MS = 120_000;
/** Between two events of one kind, and how long an engine is away. */
const CALM_MS = { least: 3_000, most: 15_000 };
const AWAY_MS = { least: 300, most: 6_000 };

run(`chaos: answers and rows agree to the last one${MISSING === null ? '' : `: ${MISSING}`}`, async (t) => {
  t.timeout(SECONDS * 1_000 + 600_000);
  t.log(`${SECONDS} s, ${PER_SECOND} requests a second tried, seed ${SEED}`);
  const password = randomBytes(16).toString('hex');
  const redis = createKeptRedis(password);
  await redis.start();
  t.teardown(() => redis.stop());
  const postgres = await startOwnPostgres(t);
  const app = await openReceivingApp(t);
  const engines = { postgresUrl: postgres.url, redisPort: redis.port(), redisPassword: password };
  const fleet = await startComposeFleet(t, { size: NODES, engines, upstream: app.url });
  const isWell = async ({ apiUrl }: ComposeNode) => {
    const response = await fetch(`${apiUrl}/readyz`).catch(() => null);
    const body = (await response?.json()) as Record<string, unknown> | undefined;
    return body?.status === 'ok' && body.records === undefined && body.counters === undefined;
  };
  const areWell = () =>
    until(async () => (await Promise.all(fleet.nodes.map(isWell))).every(Boolean), READY_WITHIN_MS);
  t.true(await areWell(), 'all nodes are ready');

  const answers = newAnswers();
  const events = new Map<string, number>();
  const endAt = performance.now() + SECONDS * 1_000;
  const chaos = [
    keepDisturbing(endAt, SEED, (random) => disturbNode(fleet.nodes, random), events),
    keepDisturbing(endAt, SEED + 1, (random) => disturbRedis(redis, random), events),
    keepDisturbing(endAt, SEED + 2, (random) => disturbPostgres(postgres, random), events),
  ];
  const sent = await loadFleet(fleet, answers, { perSecond: PER_SECOND, forMs: SECONDS * 1_000 });
  await Promise.all(chaos);
  t.log(`events: ${describe(events)}`);
  t.log(`${sent} signups, ${(sent / SECONDS).toFixed(0)} a second; answers: ${describe(answers.statuses)}`);
  t.log(`restarts: ${fleet.nodes.map(({ name, restarts }) => `${name} ${restarts()}`).join(', ')}`);

  t.true(await areWell(), 'all nodes are ready again, and nobody has touched them');
  const admin = await connectPostgres(postgres.url);
  t.teardown(() => admin.end());
  for (const what of ['a node', 'Redis', 'PostgreSQL'])
    t.true(
      [...events.keys()].some((event) => event.includes(what)),
      `no event of ${what}`,
    );
  const endings = fleet.nodes.reduce((sum, node) => sum + node.restarts(), 0);
  await rowsAgree(t, admin, { answers, app, endings });
  for (const node of fleet.nodes) {
    t.is(await node.stop(), 0, node.name);
    const bugs = node
      .output()
      .split('\n')
      .filter((line) => BUG.test(line));
    t.deepEqual(bugs.slice(0, SHOWN), []);
  }
});

type Disturb = (random: Random) => Promise<string>;

/** One event after the other, with calm between them. The last one is over when it returns. */
async function keepDisturbing(
  endAt: number,
  seed: number,
  disturb: Disturb,
  events: Map<string, number>,
): Promise<void> {
  const random = createRandom(seed);
  for (;;) {
    const calmMs = between(random, CALM_MS);
    if (performance.now() + calmMs > endAt) return;
    await pause(calmMs);
    const event = await disturb(random);
    events.set(event, (events.get(event) ?? 0) + 1);
  }
}

async function disturbNode(nodes: readonly ComposeNode[], random: Random): Promise<string> {
  const node = nodes[random(nodes.length)];
  const isKilled = random(3) > 0;
  node?.signal(isKilled ? 'SIGKILL' : 'SIGTERM');
  return isKilled ? 'a node killed' : 'a node stopped';
}

async function disturbPostgres(postgres: OwnPostgres, random: Random): Promise<string> {
  const awayMs = between(random, AWAY_MS);
  if (random(2) === 0) {
    postgres.freeze();
    await pause(awayMs);
    postgres.thaw();
    return 'PostgreSQL frozen';
  }
  postgres.crash();
  await pause(awayMs);
  // Its last process may still be about to end.
  for (;;) {
    const failure = await postgres.revive().catch((error: unknown) => error);
    if (failure === undefined) return 'PostgreSQL ended at once';
    await pause(AWAY_MS.least);
  }
}

async function disturbRedis(redis: KeptRedis, random: Random): Promise<string> {
  const awayMs = between(random, AWAY_MS);
  if (random(2) === 0) {
    redis.signal('SIGSTOP');
    await pause(awayMs);
    redis.signal('SIGCONT');
    return 'Redis frozen';
  }
  await redis.kill();
  await pause(awayMs);
  await redis.start();
  return 'Redis killed, and empty afterwards';
}

interface KeptRedis {
  port(): number;
  /** On the same port each time. */
  start(): Promise<void>;
  kill(): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  stop(): Promise<void>;
}

/** As `deploy/compose/compose.yaml` starts it. */
function createKeptRedis(password: string): KeptRedis {
  let server: RedisServer | null = null;
  let port = 0;
  return {
    port: () => port,
    async start() {
      const limits = ['--maxmemory', '512mb', '--maxmemory-policy', 'volatile-ttl'];
      server = await startRedis([...limits, '--requirepass', password], { port, password });
      port = server.port;
    },
    async kill() {
      await server?.stop();
      server = null;
    },
    signal: (signal) => void (server && process.kill(server.pid, signal)),
    async stop() {
      await server?.stop();
    },
  };
}

function between(random: Random, { least, most }: { readonly least: number; readonly most: number }): number {
  return least + random(most - least);
}

function describe(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([what, count]) => `${count} x ${what}`).join(', ');
}
