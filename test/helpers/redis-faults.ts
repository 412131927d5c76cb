import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import type { FaultCause } from '../../src/counters/redis/fault.ts';
import { openFaultProxy } from './fault-proxy.ts';
import { pause, type RedisServer, startRedis, startRedisCluster } from './redis-server.ts';

/** A fault of an engine that counters outlive: no call is answered by it while it lasts. */
export interface RedisFault {
  /** Completes "counters are local while a server …". */
  readonly name: string;
  readonly causes: readonly FaultCause[];
  /** Starts an engine without the fault. */
  readonly prepare: (t: ExecutionContext) => Promise<PreparedFault>;
}

export interface PreparedFault {
  readonly url: string;
  begin(): Promise<unknown>;
  end(): Promise<unknown>;
}

/** Calls end by our deadline, or because the client gave the connection up. */
const NO_ANSWER: readonly FaultCause[] = ['timeout', 'unreachable'];
const PASSWORD = 'hunter2';
/** 20 s. */
const KEYS_TO_LOAD = 20_000;
const LOAD_DELAY_MICROS = 1_000;
/** Until the engine is in a long act. */
const UNDER_WAY_MS = 100;

export const REDIS_FAULTS: readonly RedisFault[] = [
  {
    name: 'is stopped',
    causes: NO_ANSWER,
    prepare: withServer([], (server) => ({
      begin: async () => process.kill(server.pid, 'SIGSTOP'),
      end: async () => process.kill(server.pid, 'SIGCONT'),
    })),
  },
  {
    name: 'is killed, and started again without its data',
    causes: NO_ANSWER,
    prepare: withServer([], (server, t) => ({
      begin: () => server.kill(),
      async end() {
        const again = await startRedis([], { port: server.port });
        t.teardown(() => again.stop());
      },
    })),
  },
  behindProxy('answers 2 s late', (proxy) => ({
    begin: async () => proxy.delay(2_000),
    end: async () => proxy.delay(0),
  })),
  behindProxy('is silent', (proxy) => ({
    begin: () => proxy.set('silent'),
    end: () => proxy.set('pass'),
  })),
  behindProxy('refuses connections', (proxy) => ({
    begin: () => proxy.set('refuse'),
    end: () => proxy.set('pass'),
  })),
  {
    name: 'became a replica (READONLY)',
    // While it reads its master's data for the first time, it says LOADING.
    causes: ['read_only', 'loading', 'unreachable'],
    async prepare(t) {
      const master = await startRedis();
      t.teardown(() => master.stop());
      return await withServer([], ({ admin }) => ({
        begin: () => admin.call('REPLICAOF', '127.0.0.1', master.port),
        end: () => admin.call('REPLICAOF', 'NO', 'ONE'),
      }))(t);
    },
  },
  {
    name: 'has no memory left (OOM)',
    causes: ['out_of_memory'],
    prepare: withServer(['--maxmemory-policy', 'noeviction'], ({ admin }) => ({
      begin: () => admin.config('SET', 'maxmemory', '1'),
      end: () => admin.config('SET', 'maxmemory', '0'),
    })),
  },
  {
    name: 'runs a long script (BUSY)',
    causes: ['busy', ...NO_ANSWER],
    async prepare(t) {
      const server = await startRedis(['--busy-reply-threshold', '20']);
      t.teardown(() => server.stop());
      const other = await server.connect();
      return {
        url: urlOf(server),
        async begin() {
          // Killed at the end.
          server.admin.eval('while true do end', 0).catch(() => {});
          await pause(UNDER_WAY_MS);
        },
        end: () => other.call('SCRIPT', 'KILL'),
      };
    },
  },
  {
    name: 'loads its data (LOADING)',
    causes: ['loading', ...NO_ANSWER],
    async prepare(t) {
      const server = await startRedis([
        ...['--enable-debug-command', 'yes', '--loading-process-events-interval-bytes', '1024'],
        ...['--key-load-delay', String(LOAD_DELAY_MICROS)],
      ]);
      t.teardown(() => server.stop());
      const other = await server.connect();
      await server.admin.call('DEBUG', 'POPULATE', KEYS_TO_LOAD);
      return {
        url: urlOf(server),
        async begin() {
          server.admin.call('DEBUG', 'RELOAD').catch(() => {});
          await pause(UNDER_WAY_MS);
          // As at a restart: those that connect find it loading.
          await other.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
        },
        end: () => other.config('SET', 'key-load-delay', '0'),
      };
    },
  },
  {
    name: 'cannot write its data to disk (MISCONF)',
    causes: ['not_persisting'],
    prepare: withServer([], ({ admin, folder }) => ({
      async begin() {
        // A folder is in the way of the file.
        mkdirSync(join(folder, 'dump.rdb'));
        await admin.config('SET', 'save', '3600 1000000');
        await admin.call('BGSAVE');
        while (!String(await admin.info('persistence')).includes('rdb_last_bgsave_status:err'))
          await pause(10);
      },
      end: () => admin.config('SET', 'stop-writes-on-bgsave-error', 'no'),
    })),
  },
  {
    name: 'misses its replicas (NOREPLICAS)',
    causes: ['no_replicas'],
    prepare: withServer([], ({ admin }) => ({
      begin: () => admin.config('SET', 'min-replicas-to-write', '1'),
      end: () => admin.config('SET', 'min-replicas-to-write', '0'),
    })),
  },
  {
    name: 'takes a right away (NOPERM)',
    causes: ['denied'],
    prepare: withUser((admin) => ({
      begin: () => admin.call('ACL', 'SETUSER', 'gate', '-evalsha'),
      end: () => admin.call('ACL', 'SETUSER', 'gate', '+evalsha'),
    })),
  },
  {
    name: 'changes the password (WRONGPASS)',
    causes: ['denied', 'unreachable'],
    prepare: withUser((admin) => ({
      async begin() {
        await admin.call('ACL', 'SETUSER', 'gate', 'resetpass', '>another');
        await admin.call('CLIENT', 'KILL', 'USER', 'gate');
      },
      end: () => admin.call('ACL', 'SETUSER', 'gate', `>${PASSWORD}`),
    })),
  },
  {
    name: 'of a cluster misses a slot (CLUSTERDOWN)',
    causes: ['cluster_down'],
    async prepare(t) {
      const servers = await startRedisCluster();
      t.teardown(() => Promise.all(servers.map((server) => server.stop())));
      return {
        url: `redis+cluster://${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
        async begin() {
          for (const { admin } of servers) {
            await admin.config('SET', 'cluster-require-full-coverage', 'yes');
            await admin.call('CLUSTER', 'DELSLOTS', '0');
          }
          for (const { admin } of servers) {
            while (!String(await admin.call('CLUSTER', 'INFO')).includes('cluster_state:fail'))
              await pause(10);
          }
        },
        end: () =>
          Promise.all(servers.slice(0, 1).map(({ admin }) => admin.call('CLUSTER', 'ADDSLOTS', '0'))),
      };
    },
  },
];

type Fault = Omit<PreparedFault, 'url'>;

function urlOf({ port }: Pick<RedisServer, 'port'>): string {
  return `redis://127.0.0.1:${port}`;
}

function withServer(
  options: readonly string[],
  fault: (server: RedisServer, t: ExecutionContext) => Fault,
): RedisFault['prepare'] {
  return async (t) => {
    const server = await startRedis(options);
    t.teardown(() => server.stop());
    return { url: urlOf(server), ...fault(server, t) };
  };
}

function behindProxy(
  name: string,
  fault: (proxy: Awaited<ReturnType<typeof openFaultProxy>>) => Fault,
): RedisFault {
  return {
    name,
    causes: NO_ANSWER,
    async prepare(t) {
      const server = await startRedis();
      const proxy = await openFaultProxy(server.port);
      t.teardown(async () => {
        await proxy.close();
        await server.stop();
      });
      return { url: urlOf(proxy), ...fault(proxy) };
    },
  };
}

/** With the rights that the documentation asks for. */
function withUser(fault: (admin: RedisServer['admin']) => Fault): RedisFault['prepare'] {
  return async (t) => {
    const server = await startRedis();
    t.teardown(() => server.stop());
    await server.admin.call(
      ...(['ACL', 'SETUSER', 'gate', 'on', `>${PASSWORD}`, '~gk1:*'] as const),
      ...['+@read', '+@write', '+@scripting', '+info', '+time', '+ping'],
    );
    return { url: `redis://gate:${PASSWORD}@127.0.0.1:${server.port}`, ...fault(server.admin) };
  };
}
