import { type CircuitBreaker, createCircuitBreaker } from './circuit-breaker.ts';
import { CountersFault, causeOf, type FaultCause } from './fault.ts';
import { tagOfKey } from './key-names.ts';
import type { RedisArgument, RedisConnection } from './redis-connection.ts';
import { OBSERVE, PROBE_MEMBER, type Script } from './scripts.ts';

/** One call of a script. */
export interface SharedCall {
  /** The answer, without a deadline. Rejects with CountersFault. */
  readonly answer: Promise<readonly number[]>;
  /** The answer within the deadline. Rejects with CountersFault at the deadline. */
  readonly inTime: Promise<readonly number[]>;
}

/** Runs scripts within a deadline. Does not run them while the circuit breaker is open. */
export interface SharedCalls {
  /** @param keys At least one. In a cluster, all have one tag. */
  run(script: Script, keys: readonly string[], args: readonly RedisArgument[]): SharedCall;
  close(): void;
}

export interface SharedCallsOptions {
  readonly connection: RedisConnection;
  /** Reports a failed call. Its caller answers without the server. */
  readonly onFault: (because: FaultCause) => void;
  /** A sent call was answered, has failed, or reached its deadline after that time. */
  readonly onDone?: (script: string, ms: number) => void;
  /** Called when calls to this server stop or start again. */
  readonly onOpened: (shard: string, because: FaultCause) => void;
  readonly onClosed: (shard: string) => void;
  /** The deadline in milliseconds. Default: 50. */
  readonly deadlineMs?: number;
}

/**
 * The deadline of each call. The client's own deadline does not include the wait for a cluster (redis/ioredis#1604).
 */
const DEADLINE_MS = 50;
/** The limit of running calls. With 10,000 calls a second, 500 calls wait for their deadline. */
const MAX_RUNNING = 2_000;
/** The limit of known servers. Their names change with the cluster. */
const MAX_SHARDS = 1_000;
const PROBE_LIFETIME_MS = 60_000;

export function createSharedCalls({
  connection,
  onFault,
  onDone = () => {},
  onOpened,
  onClosed,
  deadlineMs = DEADLINE_MS,
}: SharedCallsOptions): SharedCalls {
  const breakers = new Map<string, CircuitBreaker>();
  let running = 0;

  function breakerFor(tag: string): CircuitBreaker {
    const shard = connection.shardOf(tag);
    const known = breakers.get(shard);
    if (known) return known;
    if (breakers.size >= MAX_SHARDS) forgetAll();
    // The probe writes, because a server that is read-only or out of memory still answers PING.
    const probe = () =>
      within(connection.run(OBSERVE, [probeKey(tag)], ['', 1, PROBE_LIFETIME_MS, PROBE_MEMBER]), deadlineMs);
    const breaker = createCircuitBreaker({
      probe,
      onOpened: (because) => onOpened(shard, because),
      onClosed: () => onClosed(shard),
    });
    breakers.set(shard, breaker);
    return breaker;
  }

  function forgetAll(): void {
    for (const [shard, breaker] of breakers) {
      if (breaker.openBecause !== null) onClosed(shard);
      breaker.close();
    }
    breakers.clear();
  }

  async function answerOf(script: Script, keys: readonly string[], args: readonly RedisArgument[]) {
    running++;
    try {
      return (await connection.run(script, keys, args)) as readonly number[];
    } catch (error) {
      throw new CountersFault(causeOf(error));
    } finally {
      running--;
    }
  }

  function run(script: Script, keys: readonly string[], args: readonly RedisArgument[]): SharedCall {
    const breaker = breakerFor(tagOfKey(keys[0] ?? ''));
    const refused = breaker.openBecause ?? (running >= MAX_RUNNING ? 'overloaded' : null);
    const answer =
      refused === null ? answerOf(script, keys, args) : Promise.reject(new CountersFault(refused));
    const sentAt = performance.now();
    const inTime = within(answer, deadlineMs).then(
      (reply) => {
        onDone(script.name, performance.now() - sentAt);
        breaker.succeeded();
        return reply;
      },
      (error: unknown) => {
        const because = causeOf(error);
        if (refused === null) onDone(script.name, performance.now() - sentAt);
        onFault(because);
        breaker.failed(because);
        throw error;
      },
    );
    // Some callers wait for only one of the two promises.
    answer.catch(() => {});
    inTime.catch(() => {});
    return { answer, inTime };
  }

  return {
    run,
    close() {
      for (const breaker of breakers.values()) breaker.close();
    },
  };
}

/** A key on the server of the failed call. */
function probeKey(tag: string): string {
  return `gk1:{${tag}}probe`;
}

function within<T>(answer: Promise<T>, deadlineMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    // After this process was busy, its timers run first. Only then it reads the answers that have arrived meanwhile.
    const timer = setTimeout(() => setImmediate(() => reject(new CountersFault('timeout'))), deadlineMs);
    answer.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
