import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from './free-port.ts';

/** A server of this machine that a test started. */
export interface RedisServer {
  readonly port: number;
  readonly pid: number;
  /** Its own, in which it runs. */
  readonly folder: string;
  /** A connection beside those of the code under test. */
  readonly admin: Redis;
  /** Another one, which ends with the server. */
  connect(): Promise<Redis>;
  /** Ends it with a signal and waits until it is gone. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

const PROGRAMS = ['redis-server', 'valkey-server'] as const;
export type RedisProgram = (typeof PROGRAMS)[number];

/** Those that are installed here. */
export const REDIS_PROGRAMS: readonly RedisProgram[] = PROGRAMS.filter(
  (program) => spawnSync(program, ['--version']).status === 0,
);

/** With which the URL of such a server begins. */
export function schemeOf(program: RedisProgram): string {
  return program === 'valkey-server' ? 'valkey' : 'redis';
}

/** Suites that run on each of the programs name those that they skip. */
export const MISSING_REDIS_PROGRAMS = PROGRAMS.filter((program) => !REDIS_PROGRAMS.includes(program));

/**
 * Starts a server in a folder of its own, on a free port unless one is given. It keeps no data on disk. With the settings
 * in `sentinel`, it is a Sentinel.
 */
export async function startRedis(
  options: readonly string[] = [],
  { program = REDIS_PROGRAMS[0] ?? 'redis-server', port: wanted = 0, password = '', sentinel = '' } = {},
): Promise<RedisServer> {
  const port = wanted || (await freePort());
  const folder = mkdtempSync(join(tmpdir(), 'gatekeeper-redis-'));
  const place = ['--port', String(port), '--dir', folder, '--bind', '127.0.0.1'];
  const file = join(folder, 'sentinel.conf');
  if (sentinel) writeFileSync(file, sentinel);
  const kind = sentinel ? ['--sentinel'] : ['--save', '', '--appendonly', 'no'];
  const child = spawn(program, [...(sentinel ? [file] : []), ...place, ...kind, ...options], {
    stdio: 'ignore',
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const connections: Redis[] = [];
  const connect = async (): Promise<Redis> => {
    const connection = new Redis({
      ...{ host: '127.0.0.1', port, protocol: 2, maxRetriesPerRequest: null, retryStrategy: () => 20 },
      ...(password ? { password } : {}),
    });
    connections.push(connection);
    connection.on('error', () => {});
    await connection.ping();
    return connection;
  };
  const admin = await connect();
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  return {
    port,
    pid: child.pid ?? 0,
    folder,
    admin,
    connect,
    kill,
    async stop() {
      for (const connection of connections) connection.disconnect();
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The keys of living servers are served while another is dead. */
const PARTIAL = ['--cluster-require-full-coverage', 'no'];

/** Three masters without replicas. */
export async function startRedisCluster(program?: RedisProgram): Promise<readonly RedisServer[]> {
  const servers = await Promise.all(
    [0, 1, 2].map(() =>
      startRedis(
        ['--cluster-enabled', 'yes', '--cluster-node-timeout', '2000', ...PARTIAL],
        program ? { program } : {},
      ),
    ),
  );
  const share = Math.ceil(16_384 / servers.length);
  const [first] = servers;
  for (const [i, { admin }] of servers.entries()) {
    await admin.call('CLUSTER', 'ADDSLOTSRANGE', i * share, Math.min(16_383, (i + 1) * share - 1));
    await admin.call('CLUSTER', 'SET-CONFIG-EPOCH', i + 1);
    if (i > 0) await first?.admin.call('CLUSTER', 'MEET', '127.0.0.1', servers[i]?.port ?? 0);
  }
  // Without full coverage, a server is "ok" before it knows who serves the slots of the others.
  const ready = ['cluster_state:ok', 'cluster_known_nodes:3', 'cluster_slots_ok:16384'];
  for (const { admin } of servers) {
    const info = async () => String(await admin.call('CLUSTER', 'INFO'));
    for (const fact of ready) while (!(await info()).includes(fact)) await pause(50);
  }
  return servers;
}

/** A Sentinel that watches `main`; two of three decide about a failover. */
export async function startSentinel(
  master: RedisServer,
  { password = '', downAfterMs = 500, program = REDIS_PROGRAMS[0] ?? 'redis-server' } = {},
): Promise<RedisServer> {
  const settings = [
    `sentinel monitor main 127.0.0.1 ${master.port} 2`,
    `sentinel down-after-milliseconds main ${downAfterMs}`,
    'sentinel failover-timeout main 3000',
    'sentinel parallel-syncs main 1',
    ...(password ? [`requirepass ${password}`] : []),
  ];
  return await startRedis([], { sentinel: `${settings.join('\n')}\n`, password, program });
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
