import { parseCountersUrl } from '../../config/counters-url.ts';
import type { Counters, Observation } from '../counters.ts';
import { describeLocal } from '../describe-local.ts';
import type { MemoryCounters } from '../memory-counters.ts';
import { beginCounters, START_WAIT_MS } from './begin-counters.ts';
import { causeOf, type FaultCause } from './fault.ts';
import { createKeyNames } from './key-names.ts';
import { openRedis } from './open-redis.ts';
import { createRedisCounters } from './redis-counters.ts';
import { createRedisSightings } from './redis-sightings.ts';
import { createSealedText } from './sealed-text.ts';
import { createSharedCalls } from './shared-calls.ts';
import { shareCohorts } from './shared-cohorts.ts';
import { createSharedWindows, LONGEST_LIFETIME_MS, type Moment } from './shared-windows.ts';
import { watchServer } from './watch-server.ts';

export interface OpenRedisCountersOptions {
  /** The setting `storage.counters`. */
  readonly url: string;
  /** The secret for the names of all keys. It must be the same on all nodes. */
  readonly secret: string;
  /**
   * The counters of this node. They also count everything, and answer while the server is away. Their number of members
   * per key is also that of the server.
   */
  readonly local: MemoryCounters;
  /** The number of processes that share the server. */
  readonly nodesAlive: () => number;
  readonly metrics: CountersMetrics;
  readonly log: CountersLog;
  /**
   * Restores the counts from this node after the server lost its data.
   * @returns the number of counted attempts.
   */
  readonly refill: (target: RefillTarget) => Promise<number>;
  /** The time of this node in milliseconds since the epoch. */
  readonly clock: () => number;
  /** The time that calls send. By default, the server's clock is used. Tests use another clock. */
  readonly momentOf?: (now: number) => Moment;
  /** The deadline of each call in milliseconds. Default: 50. */
  readonly deadlineMs?: number;
}

export interface SharedCounters extends Counters {
  /** The time since which this node counts alone, at least partly. Null while the server answers. */
  readonly localSince: () => number | null;
  /** The memory of the fullest server. Null before its first answer. */
  readonly memory: () => { readonly usedShare: number; readonly isNearlyFull: boolean } | null;
}

export interface CountersMetrics {
  fellBack(because: FaultCause): void;
  lost(): void;
  called(script: string, ms: number): void;
}

export interface CountersLog {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
}

/** Adds past attempts with their own times. */
export interface RefillTarget {
  observe(observations: readonly Observation[], at: number): Promise<readonly []>;
}

/**
 * The lifetime of keys with one member while the server is nearly full. Most keys have one member. The oldest are
 * removed first, as in memory.
 */
const SHORT_LIFETIME_MS = 2 * 3_600_000;
/** The lock of one refill. Other nodes notice the loss within a second. */
const REFILL_LOCK_MS = 60_000;
/** The attempts of one batch. This limits a refill to 5,000 attempts a second. */
const REFILL_BATCH = 250;
const REFILL_PAUSE_MS = 50;
const REFILL_TRIES = 20;
const REFILL_RETRY_MS = 500;

/**
 * Counters in Redis or Valkey. Starts even when the server is away, and uses the server as soon as it answers.
 *
 * @throws ConfigError when the server refuses the login or a required command.
 */
export async function openRedisCounters(options: OpenRedisCountersOptions): Promise<SharedCounters> {
  const { url, secret, local, nodesAlive, metrics, log, clock, momentOf = () => '' } = options;
  const parsed = parseCountersUrl(url);
  if (!parsed) throw new TypeError('an unreadable storage.counters passed the checks');
  const connection = openRedis(parsed);
  const away = new Map<string, number>();
  let isClosed = false;
  const calls = createSharedCalls({
    connection,
    ...(options.deadlineMs === undefined ? {} : { deadlineMs: options.deadlineMs }),
    onFault: metrics.fellBack,
    onDone: metrics.called,
    onOpened(server, because) {
      const since = clock();
      away.set(server, since);
      const failure = connection.failure();
      log.warn(
        { server, because, ...(failure === null ? {} : { failure }), counters: describeLocal(since) },
        'shared counters do not answer: velocity is counted on this node alone',
      );
    },
    onClosed(server) {
      away.delete(server);
      log.info({ server }, 'shared counters answer again');
    },
  });
  try {
    await beginCounters({ connection, calls, database: parsed.database });
  } catch (error) {
    calls.close();
    connection.close();
    throw error;
  }
  const names = createKeyNames(secret);
  const sightings = createRedisSightings({ calls, names, isNearlyFull: () => watch.isNearlyFull(), clock });
  const watch = watchServer({
    connection,
    onLost() {
      sightings.lost();
      void restore();
    },
  });
  const windows = createSharedWindows({
    calls,
    names,
    membersPerKey: local.membersPerKey,
    isCluster: connection.isCluster,
    singleLifetimeMs: () => (watch.isNearlyFull() ? SHORT_LIFETIME_MS : LONGEST_LIFETIME_MS),
  });

  const stream = names.limitKey('cohorts', '');
  const cohorts = shareCohorts({
    local: local.cohorts,
    sealed: createSealedText(secret),
    call: (command, ...args) => connection.call(command, stream, ...args),
  });

  async function restore(): Promise<void> {
    metrics.lost();
    log.warn({}, 'shared counters were emptied: windows begin anew');
    let isLocked = false;
    let attempts = 0;
    for (let tries = 1; ; tries++) {
      try {
        // Installations with other secrets refill their own keys.
        const lock = names.limitKey('refill', '');
        isLocked ||= (await connection.call('set', lock, '1', 'PX', REFILL_LOCK_MS, 'NX')) !== null;
        if (!isLocked) return;
        const counted = await options.refill({
          async observe(observations, at) {
            if (++attempts % REFILL_BATCH === 0) await pause(REFILL_PAUSE_MS);
            await windows.refill(observations, at);
            return [];
          },
        });
        log.info({ attempts: counted }, 'shared counters were filled again from stored decisions');
        return;
      } catch (error) {
        if (tries === REFILL_TRIES || isClosed) {
          log.warn({ because: causeOf(error), attempts }, 'shared counters were not filled again');
          return;
        }
      }
      // The loss may be noticed before the circuit breaker allows calls again. Repeated calls count an attempt only
      // once.
      await pause(REFILL_RETRY_MS);
    }
  }

  // From here on, a loss is noticed. A server that is away is checked every second.
  if (away.size === 0) await Promise.race([watch.begun, pause(START_WAIT_MS)]);
  return {
    ...createRedisCounters({ calls, windows, names, local, nodesAlive, cohorts, momentOf }),
    sightings,
    localSince: () => (away.size === 0 ? null : Math.min(...away.values())),
    memory() {
      const usedShare = watch.memoryUse();
      return usedShare === null ? null : { usedShare, isNearlyFull: watch.isNearlyFull() };
    },
    async close() {
      isClosed = true;
      watch.close();
      cohorts.close();
      calls.close();
      connection.close();
      await local.close();
    },
  };
}

function pause(ms: number): Promise<null> {
  return new Promise((resolve) => setTimeout(() => resolve(null), ms).unref());
}
