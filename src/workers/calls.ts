import type { Socket } from 'node:net';
import type { Config } from '../config/config.ts';
import type { ListenAddress } from '../config/listen-address.ts';
import type { ConfigurationStatus, Reload } from '../config/reload.ts';
import type { DoorName, Gatekeeper } from '../gatekeeper/gatekeeper.ts';
import type { Secrets } from '../secrets/open-secrets.ts';
import type { QuotaOutcome } from '../storage/decisions/scoring-ledger.ts';
import type { MetricsSnapshot } from '../telemetry/exposition.ts';
import type { SentError } from './sent-error.ts';

/** The calls that a worker answers. */
export interface WorkerCalls {
  /** The first call. Opens all parts; the worker then serves the connections that it receives. */
  start(order: StartOrder): Promise<StartedWorker>;
  /** A new connection at a door. The returned function is called when the answer was sent (see `channel.ts`). */
  connection(door: DoorName, socket?: Socket): () => void;
  /**
   * Does the steps of a reload that can fail, and leaves the others to `apply`. `waiting` is what waits for a restart of the
   * parent, which knows the settings of the start.
   */
  prepare(reload: Reload): Promise<void>;
  apply(nothing: null): void;
  /** Shows why the configuration file cannot be used. */
  refuse(because: string): void;
  measure(nothing: null): Promise<MetricsSnapshot>;
  /** Answers as soon as the event loop runs. */
  ping(nothing: null): void;
  reopenLogs(nothing: null): void;
  /** From now on `/readyz` answers 503. Requests are still served. */
  drain(nothing: null): void;
  /** Finishes running requests and closes all parts. */
  stop(nothing: null): Promise<void>;
}

/** The calls that the parent answers. */
export interface ParentCalls {
  /** Accepts connections at the address. Throws the system error when the address cannot be bound. */
  listen(wanted: { readonly door: DoorName; readonly listen: ListenAddress }): Promise<ListenAddress>;
  /**
   * Writes decisions; each has its own outcome.
   * @param group As JSON of `ScoringWrite[]`: reading it takes 11 µs a decision here, and as objects 20 µs. The parent
   * writes for all workers, so its time limits their throughput.
   */
  write(group: string): Promise<readonly WriteOutcome[]>;
  /** Reports how many of this worker's connections have ended. */
  closed(connections: number): void;
  /** The metrics of all processes, for Prometheus. */
  render(nothing: null): Promise<string>;
}

export type WriteOutcome = { readonly outcome: QuotaOutcome } | { readonly error: SentError };

export interface StartOrder {
  readonly config: Config;
  readonly configuration: ConfigurationStatus;
  readonly secrets: Secrets;
  readonly ticketKeys: Uint8Array;
  /** Whether the parent writes the decisions. In PostgreSQL each worker writes its own. */
  readonly sendsDecisions: boolean;
}

export type StartedWorker = Pick<Gatekeeper, 'apiUrl' | 'gate' | 'dashboardUrl' | 'isDashboardOpen'>;
