import type { Script } from './scripts.ts';

export type RedisArgument = string | number;

export interface MemoryLimit {
  /** The server's `maxmemory`. 0: no limit. */
  readonly maxBytes: number;
  /** The setting `maxmemory-policy`: what the server does when it is full, such as `noeviction` or `volatile-ttl`. */
  readonly policy: string;
}

/**
 * A connection to one server, to a master that Sentinels name, or to a cluster. Calls fail immediately while it is
 * away.
 */
export interface RedisConnection {
  /** True when all keys of a call must have one tag. */
  readonly isCluster: boolean;
  /** @param keys In a cluster, all keys have one tag. */
  run(script: Script, keys: readonly string[], args: readonly RedisArgument[]): Promise<unknown>;
  /** @param key The first key. A cluster uses it to find the server. */
  call(command: string, key: string, ...args: readonly RedisArgument[]): Promise<unknown>;
  /** The name of the server for a tag. When the server is unknown, one name for all tags. */
  shardOf(tag: string): string;
  /** The used share of `maxmemory` on the fullest server. 0 without a limit. */
  memoryUse(): Promise<number>;
  /** The limits of each server that holds counters. */
  memoryLimits(): Promise<readonly MemoryLimit[]>;
  /** The error of the last attempt to connect. Null while it is connected, and before the first attempt. */
  failure(): string | null;
  /**
   * Waits until the server is ready, up to the given time.
   *
   * @returns the server's message when it refuses the login. Null when it is ready or away.
   */
  settle(withinMs: number): Promise<string | null>;
  close(): void;
}
