import { createHash } from 'node:crypto';
import { Cluster, type ClusterOptions, Redis, type RedisOptions } from 'ioredis';
import type { CountersUrl } from '../../config/counters-url.ts';
import { causeOf } from './fault.ts';
import { slotOfTag } from './key-slot.ts';
import type { MemoryLimit, RedisConnection } from './redis-connection.ts';
import type { Script } from './scripts.ts';
import { createWriteTogether } from './write-together.ts';

/** Without this, a silent peer would block until TCP gives up, 15 minutes later (redis/ioredis#559). */
const SILENCE_MS = 1_000;
const LONGEST_RETRY_MS = 500;
const REFRESH_SLOTS_MS = 5_000;

const retryStrategy = (times: number) => Math.min(times * 50, LONGEST_RETRY_MS);

/** While a server is away, calls are not queued and not repeated. This node counts these calls locally. */
const CONNECTION = {
  protocol: 2,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  connectTimeout: SILENCE_MS,
  socketTimeout: SILENCE_MS,
  disconnectTimeout: 100,
  // Without this, the client would use the estimate of a loading server and reconnect up to 10 s too late.
  maxLoadingRetryTime: SILENCE_MS,
  keepAlive: 5_000,
  connectionName: 'gatekeeper',
  disableClientInfo: true,
  // After a manual failover, the old master refuses writes. The client then reconnects to find the new one.
  reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
} as const satisfies RedisOptions;

/** Connects and reconnects in the background until it is closed. Only this file uses the client library. */
export function openRedis(url: CountersUrl): RedisConnection {
  const client = url.kind === 'cluster' ? openCluster(url) : new Redis(singleOptions(url));
  const cluster = client instanceof Cluster ? client : null;
  const digests = new WeakMap<Script, string>();
  // A cluster has a connection to each server.
  const writeTogether = createWriteTogether(() => (client instanceof Redis ? (client.stream ?? null) : null));
  let failure: string | null = null;
  const refusal = () => (failure !== null && causeOf(failure) === 'denied' ? failure : null);
  // Without a listener, the first error would end the process.
  client.on('error', (error: Error & { lastNodeError?: Error }) => {
    failure = (error.lastNodeError ?? error).message;
  });
  client.on('ready', () => {
    failure = null;
  });
  let isClosed = false;
  // ioredis gives up for good when Sentinels announce a failover at the moment in which it asks one for the master.
  client.on('end', () => {
    setTimeout(() => {
      if (!isClosed) client.connect().catch(() => {});
    }, LONGEST_RETRY_MS).unref();
  });

  function digestOf(script: Script): string {
    const known = digests.get(script);
    if (known) return known;
    const digest = createHash('sha1').update(script.lua).digest('hex');
    digests.set(script, digest);
    return digest;
  }

  function memoryOfServers(): Promise<readonly string[]> {
    const servers = cluster ? cluster.nodes('master') : [client];
    return Promise.all(servers.map((server) => server.info('memory')));
  }

  return {
    isCluster: cluster !== null,
    async run(script, keys, args) {
      writeTogether();
      try {
        return await client.evalsha(digestOf(script), keys.length, ...keys, ...args);
      } catch (error) {
        if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
        // After a restart or SCRIPT FLUSH: EVAL loads the script again for later calls.
        return await client.eval(script.lua, keys.length, ...keys, ...args);
      }
    },
    call(command, key, ...args) {
      writeTogether();
      return client.call(command, key, ...args);
    },
    shardOf: (tag) => cluster?.slots[slotOfTag(tag)]?.[0] ?? 'all',
    memoryUse: async () => Math.max(0, ...(await memoryOfServers()).map(readMemoryUse)),
    memoryLimits: async () => (await memoryOfServers()).map(readMemoryLimit),
    failure: () => failure,
    async settle(withinMs) {
      const until = performance.now() + withinMs;
      while (client.status !== 'ready' && refusal() === null && performance.now() < until) {
        if (client.status === 'reconnecting' || client.status === 'end') break;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      return refusal();
    },
    close() {
      isClosed = true;
      client.disconnect();
    },
  };
}

function singleOptions(url: CountersUrl) {
  const [{ host, port } = { host: 'localhost', port: 6379 }] = url.hosts;
  const place =
    url.masterName === null ? { host, port } : { sentinels: [...url.hosts], name: url.masterName };
  const tls = url.tls ? { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true } : {};
  const sentinel = {
    sentinelRetryStrategy: retryStrategy,
    sentinelCommandTimeout: SILENCE_MS,
    ...(url.sentinelUsername === null ? {} : { sentinelUsername: url.sentinelUsername }),
    ...(url.sentinelPassword === null ? {} : { sentinelPassword: url.sentinelPassword }),
    failoverDetector: true,
    updateSentinels: true,
  };
  return {
    ...CONNECTION,
    ...login(url),
    ...place,
    ...tls,
    ...(url.kind === 'sentinel' ? sentinel : {}),
    db: url.database,
    enableOfflineQueue: false,
    retryStrategy,
  } satisfies RedisOptions;
}

function openCluster(url: CountersUrl): Cluster {
  const options = {
    // Only here the queue is on: the connection to each node needs it while it connects (redis/ioredis#581).
    enableOfflineQueue: false,
    clusterRetryStrategy: retryStrategy,
    maxRedirections: 3,
    retryDelayOnFailover: 50,
    // No repeats: the deadline would be over, and a repeat would hide the cause.
    retryDelayOnClusterDown: 0,
    slotsRefreshTimeout: SILENCE_MS,
    slotsRefreshInterval: REFRESH_SLOTS_MS,
    redisOptions: { ...CONNECTION, ...login(url), ...(url.tls ? { tls: {} } : {}) },
  } satisfies ClusterOptions;
  return new Cluster([...url.hosts], options);
}

function login({ username, password }: CountersUrl): Pick<RedisOptions, 'username' | 'password'> {
  return { ...(username === null ? {} : { username }), ...(password === null ? {} : { password }) };
}

function readMemoryUse(info: string): number {
  const { maxBytes } = readMemoryLimit(info);
  return maxBytes === 0 ? 0 : Number(fieldOf(info, 'used_memory') ?? 0) / maxBytes;
}

function readMemoryLimit(info: string): MemoryLimit {
  return {
    maxBytes: Number(fieldOf(info, 'maxmemory') ?? 0),
    policy: fieldOf(info, 'maxmemory_policy') ?? '',
  };
}

function fieldOf(info: string, name: string): string | undefined {
  return new RegExp(`^${name}:([\\w-]+)`, 'm').exec(info)?.[1];
}
