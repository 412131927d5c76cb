import { randomUUID } from 'node:crypto';
import { PREFIX } from './key-names.ts';
import type { RedisConnection } from './redis-connection.ts';

export interface ServerWatch {
  /** Resolves after the first check. A loss before it is not noticed. */
  readonly begun: Promise<void>;
  /** True when at least 80 % of `maxmemory` are used. */
  readonly isNearlyFull: () => boolean;
  /** The used share of `maxmemory` on the fullest server. 0 without a limit. Null before the first answer. */
  readonly memoryUse: () => number | null;
  close(): void;
}

export interface WatchServerOptions {
  readonly connection: RedisConnection;
  /** The server, or one server of the cluster, lost its data. */
  readonly onLost: () => void;
}

const EVERY_MS = 1_000;
const NEARLY_FULL = 0.8;
/**
 * The number of markers. They are distributed over the slots: with eight masters, 0.2 % of clusters have a master
 * without a marker.
 */
const CLUSTER_EPOCHS = 64;

/**
 * Checks once a second whether the server still has its data. A random value, written once, is missing or different
 * after a flush and after a failover to an empty server.
 */
export function watchServer({ connection, onLost }: WatchServerOptions): ServerWatch {
  const keys = connection.isCluster
    ? Array.from({ length: CLUSTER_EPOCHS }, (_, i) => `${PREFIX}{epoch-${i}}`)
    : [`${PREFIX}{epoch}`];
  const epochs = new Map<string, string>();
  let memoryUse: number | null = null;
  const isNearlyFull = () => memoryUse !== null && memoryUse >= NEARLY_FULL;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  /** Returns the new epoch, or the epoch that another node has started meanwhile. */
  async function beginEpoch(key: string): Promise<unknown> {
    const epoch = randomUUID();
    const isOwn = (await connection.call('set', key, epoch, 'NX')) !== null;
    return isOwn ? epoch : connection.call('get', key);
  }

  /** True when the epoch has changed. */
  async function isLost(key: string): Promise<boolean> {
    const epoch = (await connection.call('get', key)) ?? (await beginEpoch(key));
    if (typeof epoch !== 'string') return false;
    const before = epochs.get(key);
    epochs.set(key, epoch);
    return before !== undefined && before !== epoch;
  }

  async function look(): Promise<void> {
    const [use, ...found] = await Promise.allSettled([connection.memoryUse(), ...keys.map(isLost)]);
    if (isClosed) return;
    // A server that is away, or that refuses INFO, changes nothing.
    if (use.status === 'fulfilled') memoryUse = use.value;
    if (found.some((one) => one.status === 'fulfilled' && one.value)) onLost();
    timer = setTimeout(look, EVERY_MS).unref();
  }

  const begun = look();
  return {
    begun,
    isNearlyFull,
    memoryUse: () => memoryUse,
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
