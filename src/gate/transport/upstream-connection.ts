import type { Client } from 'undici';
import type { ProblemError } from '../../http/problem.ts';
import type { ClientPace } from './client-pace.ts';

/** One connection to the upstream, used by one request at a time. undici opens it again after it has ended. */
export interface UpstreamConnection {
  readonly client: Client;
  /** Requests written to the open socket: the writer of a request counts it. */
  served: number;
  open: boolean;
  /** The connection has no request and the gate has not ended it: if it ends now, the upstream ended it. */
  isIdle: boolean;
  idleSince: number;
  /** The time for which it was idle before the last request acquired it. */
  idleMs: number;
  /** Whether it was acquired for an upload that the sender has not finished. */
  isPaced: boolean;
  /** Set by the exchange that uses the connection, while that exchange waits for its client. */
  stalled: ClientPace | null;
  /** The request that uses the connection was written to the socket, at least its head. */
  isWritten: boolean;
  /** Whether the operating system has accepted all bytes written to the socket. */
  hasSentAll(): boolean;
  /** Ends the socket, and with it the request that was written. The next request opens another socket. */
  closeSocket(): void;
  /** Frees the connection at once while it is abandoned, else null. */
  freeAbandoned: (() => void) | null;
  /**
   * The client of the request has disconnected, and its answer may end in a short time: a new connection costs several times
   * as much as the rest of a short answer. Called again, it does nothing.
   * @param free ends the use of the connection: when another request needs it, or after that time.
   * @returns false when the request was not sent completely: its answer may never come.
   */
  abandon(free: () => void): boolean;
  /** The use has ended, so the connection is not abandoned any more. */
  clearAbandoned(): void;
}

export interface UpstreamConnectionOptions {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly connectTimeoutMs: number;
  /** Called when the upstream closed the connection while it was idle, with the idle time. */
  readonly onIdleEnd: (idleMs: number) => void;
}

/** The connection that a request needs. `proven`: allowed by the reuse policy. `new`: without any earlier request. */
export type ReuseRequirement = 'any' | 'proven' | 'new';

export interface AcquireRequest {
  readonly reuse: ReuseRequirement;
  /** Whether the request is an upload that still arrives. Such uploads may not take the last connections. */
  readonly isPaced: boolean;
  readonly use: (connection: UpstreamConnection) => void;
  readonly fail: (problem: ProblemError) => void;
}

export interface UpstreamConnections {
  /**
   * Provides a connection at once or when one is free. The connection is released when undici has finished the request.
   * @returns a function that cancels the request. It has no effect after a connection was acquired.
   */
  acquire(request: AcquireRequest): () => void;
  /** @param isIntact whether a request was answered on it completely. Otherwise it is closed, or will be soon. */
  release(connection: UpstreamConnection, isIntact: boolean): void;
  /**
   * Ends the socket of a connection whose request is no longer needed; the caller does not release the connection. If
   * only the request were aborted, it would stay in undici's queue, and undici would reconnect only to drop it.
   */
  discard(connection: UpstreamConnection): void;
  /** As `UpstreamConnection.abandon`, and false when a request waits. After false, the caller discards the connection. */
  abandon(connection: UpstreamConnection, free: () => void): boolean;
  /** The upstream closed a connection on which a request had just been written. */
  markStale(connection: UpstreamConnection): void;
  /** The number of requests in progress. */
  acquiredCount(): number;
  openCount(): number;
  /**
   * Ends idle connections now and the others when they are released.
   * @param withinMs The time after which connections in use are ended. Without it, they are never ended.
   */
  close(withinMs?: number): Promise<void>;
}
