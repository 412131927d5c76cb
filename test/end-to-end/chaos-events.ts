import type { Random } from '../../scripts/random.ts';
import type { ComposeNode } from '../helpers/compose-fleet.ts';
import { connectPostgres, type OwnPostgres } from '../helpers/postgres-server.ts';
import { pause, type RedisServer, startRedis } from '../helpers/redis-server.ts';

/** Between two events of one kind, and how long an engine is away. */
const CALM_MS = { least: 3_000, most: 15_000 };
const AWAY_MS = { least: 300, most: 6_000 };
const LOOK_EVERY_MS = 250;

/** Does one thing to a part of the fleet, and says what. It is over when it returns. */
export type Disturb = (random: Random) => Promise<string>;

/** What happened, and how long the fleet took to be well again. */
export interface Chaos {
  /** How often each event happened. */
  readonly events: ReadonlyMap<string, number>;
  /** From the end of the last event until all nodes were well, in milliseconds; none where the next event came first. */
  readonly recoveriesMs: readonly number[];
}

/** Each kind of event goes on beside the others, with calm between two of its events, until the time is over. */
export async function disturbFor(
  forMs: number,
  disturbs: readonly { readonly random: Random; readonly disturb: Disturb }[],
  areWell: () => Promise<boolean>,
): Promise<Chaos> {
  const endAt = performance.now() + forMs;
  const events = new Map<string, number>();
  const recoveriesMs: number[] = [];
  let running = 0;
  let disturbedAt: number | null = null;

  async function keepDisturbing(random: Random, disturb: Disturb): Promise<void> {
    for (;;) {
      const calmMs = between(random, CALM_MS);
      if (performance.now() + calmMs > endAt) return;
      await pause(calmMs);
      running++;
      const event = await disturb(random);
      running--;
      disturbedAt = performance.now();
      events.set(event, (events.get(event) ?? 0) + 1);
    }
  }

  async function watch(): Promise<void> {
    for (; performance.now() < endAt; await pause(LOOK_EVERY_MS)) {
      const since = disturbedAt;
      if (since === null || running > 0 || !(await areWell()) || since !== disturbedAt || running > 0)
        continue;
      recoveriesMs.push(performance.now() - since);
      disturbedAt = null;
    }
  }

  await Promise.all([...disturbs.map(({ random, disturb }) => keepDisturbing(random, disturb)), watch()]);
  return { events, recoveriesMs };
}

export async function disturbNode(nodes: readonly ComposeNode[], random: Random): Promise<string> {
  const node = nodes[random(nodes.length)];
  const chance = random(6);
  if (chance === 0) {
    const awayMs = between(random, AWAY_MS);
    node?.signal('SIGSTOP');
    await pause(awayMs);
    node?.signal('SIGCONT');
    return 'a node frozen';
  }
  const isKilled = chance > 2;
  node?.signal(isKilled ? 'SIGKILL' : 'SIGTERM');
  return isKilled ? 'a node killed' : 'a node stopped';
}

export async function disturbPostgres(postgres: OwnPostgres, random: Random): Promise<string> {
  const awayMs = between(random, AWAY_MS);
  const chance = random(6);
  if (chance < 2) {
    postgres.freeze();
    await pause(awayMs);
    postgres.thaw();
    return 'PostgreSQL frozen';
  }
  if (chance < 4) {
    const admin = await connectPostgres(postgres.url);
    if (chance === 2) {
      await cutConnections(admin);
      await admin.end();
      return 'PostgreSQL cut all connections';
    }
    // As after a failover to a standby that is not promoted yet.
    await admin.query('ALTER SYSTEM SET default_transaction_read_only = on');
    await admin.query('SELECT pg_reload_conf()');
    await pause(awayMs);
    await admin.query('SET default_transaction_read_only = off');
    await admin.query('ALTER SYSTEM RESET default_transaction_read_only');
    await admin.query('SELECT pg_reload_conf()');
    await admin.end();
    return 'PostgreSQL read-only';
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

/** At any moment of a statement: the answer to a commit may be among what is lost. */
async function cutConnections(admin: { query(sql: string): Promise<unknown> }): Promise<void> {
  await admin.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'gatekeeper/%'`,
  );
}

export async function disturbRedis(redis: KeptRedis, random: Random): Promise<string> {
  const awayMs = between(random, AWAY_MS);
  const chance = random(5);
  if (chance < 2) {
    redis.signal('SIGSTOP');
    await pause(awayMs);
    redis.signal('SIGCONT');
    return 'Redis frozen';
  }
  if (chance === 2) {
    await redis.flush();
    return 'Redis flushed';
  }
  await redis.kill();
  await pause(awayMs);
  await redis.start();
  return 'Redis killed, and empty afterwards';
}

export interface KeptRedis {
  port(): number;
  /** On the same port each time. */
  start(): Promise<void>;
  kill(): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  /** Empties it, scripts included. */
  flush(): Promise<void>;
}

/** As `deploy/compose/compose.yaml` starts it. */
export function createKeptRedis(password: string): KeptRedis {
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
    async flush() {
      await server?.admin.flushall();
      await server?.admin.script('FLUSH');
    },
  };
}

function between(random: Random, { least, most }: { readonly least: number; readonly most: number }): number {
  return least + random(most - least);
}
