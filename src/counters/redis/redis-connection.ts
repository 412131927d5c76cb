import type { Script } from './scripts.ts';

export type RedisArgument = string | number;

/** A connection to one server, to a master that Sentinels name, or to a cluster. Calls fail at once while it is away. */
export interface RedisConnection {
  /** True: one call takes the keys of one tag only. */
  readonly isCluster: boolean;
  /** @param keys All of one tag in a cluster. */
  run(script: Script, keys: readonly string[], args: readonly RedisArgument[]): Promise<unknown>;
  /** @param key The first key, by which a cluster finds the server. */
  call(command: string, key: string, ...args: readonly RedisArgument[]): Promise<unknown>;
  /** The server that serves a tag, as a name for it; one name for all where it is unknown. */
  shardOf(tag: string): string;
  /** The fullest server's share of its `maxmemory`; 0 where there is no bound. */
  memoryUse(): Promise<number>;
  /**
   * Waits until it is ready, at most so long.
   *
   * @returns what the server said where it refuses the login; null when it is ready or away.
   */
  settle(withinMs: number): Promise<string | null>;
  close(): void;
}
