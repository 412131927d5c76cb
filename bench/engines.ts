import {
  connectPostgres,
  MISSING_POSTGRES,
  postgresCluster,
  postmasterOf,
  urlOf,
} from '../test/helpers/postgres-server.ts';
import {
  pause,
  REDIS_PROGRAMS,
  type RedisServer,
  startRedis,
  startRedisCluster,
} from '../test/helpers/redis-server.ts';
import { cpuTimeUs } from './process-tree.ts';

/** PostgreSQL and Redis of this machine, started for a measurement. */
export interface Engines {
  /** YAML: the storage of a node, and the secret that such nodes must be given. */
  readonly storage: string;
  /** A number that PostgreSQL computes. */
  ask(sql: string): Promise<number>;
  readPostgres(): Promise<PostgresUse>;
  readRedis(): Promise<RedisUse>;
  close(): Promise<void>;
}

/** Since the start of the server. */
export interface PostgresUse {
  readonly cpuUs: number;
  readonly commits: number;
  readonly walBytes: number;
}

/** Of all servers together, since their start. */
export interface RedisUse {
  readonly cpuUs: number;
  readonly scriptCalls: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly memoryBytes: number;
  readonly keys: number;
  readonly connections: number;
}

/** As in the Compose file: the keys nearest to their end make room. */
const REDIS_OPTIONS = ['--maxmemory', '512mb', '--maxmemory-policy', 'volatile-ttl'];
/** PostgreSQL publishes the counts of a connection about once a second. */
const PUBLISHED_AFTER_MS = 1_500;
let databases = 0;

/** @param masters 1: one Redis server; 3: a cluster. */
export async function openEngines(masters: 1 | 3): Promise<Engines> {
  if (MISSING_POSTGRES !== null) throw new Error(MISSING_POSTGRES);
  if (REDIS_PROGRAMS.length === 0) throw new Error('redis-server is missing here');
  const { port, folder } = await postgresCluster();
  const postmaster = postmasterOf(folder);
  const database = `bench_fleet_${process.pid}_${databases++}`;
  const owner = await connectPostgres(urlOf(port, 'postgres'));
  await owner.query(`CREATE DATABASE ${database}`);
  const admin = await connectPostgres(urlOf(port, database));
  const servers = masters === 1 ? [await startRedis(REDIS_OPTIONS)] : await startRedisCluster();
  const hosts = servers.map((server) => `127.0.0.1:${server.port}`).join(',');
  const counters = masters === 1 ? `redis://${hosts}` : `redis+cluster://${hosts}`;
  const ask = async (sql: string) => {
    const { rows } = await admin.query(`SELECT (${sql})::float8 AS value`);
    return Number(rows[0]?.value);
  };
  return {
    storage: [
      `storage: {records: ${JSON.stringify(urlOf(port, database))}, counters: ${JSON.stringify(counters)}}`,
      'privacy: {hash_secret: the secret of a measurement that all nodes share}',
      '',
    ].join('\n'),
    ask,
    async readPostgres() {
      await pause(PUBLISHED_AFTER_MS);
      return {
        cpuUs: cpuTimeUs(postmaster),
        commits: await ask('SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()'),
        walBytes: await ask("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn"),
      };
    },
    async readRedis() {
      return sum(await Promise.all(servers.map(readServer)));
    },
    async close() {
      await admin.end();
      await owner.query(`DROP DATABASE ${database} WITH (FORCE)`);
      await owner.end();
      for (const server of servers) await server.stop();
    },
  };
}

/** Redis alone, started for a measurement. */
export async function openCountersServer(): Promise<{ readonly url: string; close(): Promise<void> }> {
  if (REDIS_PROGRAMS.length === 0) throw new Error('redis-server is missing here');
  const server = await startRedis(REDIS_OPTIONS);
  return { url: `redis://127.0.0.1:${server.port}`, close: () => server.stop() };
}

async function readServer({ admin, pid }: RedisServer): Promise<RedisUse> {
  const info = String(await admin.call('INFO', 'everything'));
  const number = (pattern: RegExp) => Number(pattern.exec(info)?.[1] ?? 0);
  return {
    cpuUs: cpuTimeUs(pid),
    scriptCalls: number(/^cmdstat_evalsha:calls=(\d+)/m),
    bytesIn: number(/^total_net_input_bytes:(\d+)/m),
    bytesOut: number(/^total_net_output_bytes:(\d+)/m),
    memoryBytes: number(/^used_memory:(\d+)/m),
    keys: number(/^db0:keys=(\d+)/m),
    // Without this one.
    connections: number(/^connected_clients:(\d+)/m) - 1,
  };
}

function sum(uses: readonly RedisUse[]): RedisUse {
  const total = (figure: keyof RedisUse) => uses.reduce((all, use) => all + use[figure], 0);
  return {
    cpuUs: total('cpuUs'),
    scriptCalls: total('scriptCalls'),
    connections: total('connections'),
    bytesIn: total('bytesIn'),
    bytesOut: total('bytesOut'),
    memoryBytes: total('memoryBytes'),
    keys: total('keys'),
  };
}
