import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import type { ConfigurationStatus } from '../config/reload.ts';
import type { AcceptConnections } from '../http/bind-server.ts';
import type { Secrets } from '../secrets/open-secrets.ts';
import type { OpenStorageOptions } from '../storage/open-storage.ts';
import type { Exposition, MetricsSnapshot } from '../telemetry/exposition.ts';
import type { ProcessLogger } from '../telemetry/logger.ts';

/** A running Gatekeeper. `start-gatekeeper.ts` opens and connects its parts one by one, and closes them in reverse order. */
export interface Gatekeeper {
  /** `http://host:port` of the API door. */
  readonly apiUrl: string;
  /** The gate; null when only the API is served. */
  readonly gate: {
    readonly url: string;
    /** The file of the generated assertion secret; null when the configuration names a key. */
    readonly assertionSecretFile: string | null;
  } | null;
  /** The URL of the dashboard. */
  readonly dashboardUrl: string;
  /** Whether the dashboard listened at the start. False when another program used its address. */
  readonly isDashboardOpen: boolean;
  /**
   * The link for creating the first operator; null when an operator exists, or when another start printed a link that
   * is still valid.
   */
  readonly setUpLink: string | null;
  /** The time at which the link of another start expires; null when this start made a link, or an operator exists. */
  readonly earlierLinkValidUntil: number | null;
  /** The first key, which this start created; null when a key existed, or `firstKey` was not requested. */
  readonly firstKey: string | null;
  /** Whether a key exists in the configuration or in the storage. A revoked key counts too. */
  readonly hasKeys: boolean;
  /**
   * Applies a changed configuration without losing a request. When it throws, nothing of the change is applied.
   * @returns the settings that only a restart would change.
   */
  configure(config: Config): Promise<readonly string[]>;
  /** Shows in `/readyz` and on the dashboard that the configuration file cannot be used, until the next `configure`. */
  refuseConfiguration(because: string): void;
  /** Opens the file of the decision log again, after a log rotation has moved it. */
  reopenLogs(): void;
  /**
   * First, `/readyz` answers 503 for `server.stop_delay`. Then Gatekeeper accepts no new connections, finishes running
   * requests and closes everything, all within `server.drain_timeout`.
   */
  stop(): Promise<void>;
}

/** Gatekeeper in this process. */
export interface GatekeeperProcess extends Gatekeeper {
  /**
   * Does the steps of `configure` that can fail.
   * @param waiting The settings that wait for a restart, when another process knows them. A worker starts with changed settings.
   * @returns a function that applies the configuration, and returns the settings that only a restart would change.
   */
  prepare(config: Config, waiting?: readonly string[]): Promise<() => readonly string[]>;
  /** From now on `/readyz` answers 503. Requests are still accepted. */
  drain(): void;
  /** The metrics of this process. */
  measure(): Promise<MetricsSnapshot>;
}

/**
 * The role of a process that serves the same doors as other workers, with the parts that their parent provides. The
 * parent runs the jobs.
 */
export interface WorkerRole {
  readonly secrets: Secrets;
  readonly configuration: ConfigurationStatus;
  readonly storage: Pick<OpenStorageOptions, 'startQueue'>;
  readonly acceptAt: (door: DoorName) => AcceptConnections;
  /** Each worker resumes the TLS sessions of the others. */
  readonly ticketKeys: Buffer;
  /** The metrics of all workers. */
  readonly exposition: Exposition;
}

export type DoorName = 'api' | 'gate' | 'dashboard';

export interface GatekeeperOptions {
  readonly config: Config;
  readonly log: ProcessLogger;
  readonly clock: Clock;
  /** Creates a key when the storage has no key. This is for a first run without a configuration. */
  readonly makeFirstKey: boolean;
  /** Aborts the start between two of its steps. Open parts are closed, and the signal's reason is thrown. */
  readonly stop?: AbortSignal;
  /** The role of this process among workers. Left out: this process does everything itself. */
  readonly worker?: WorkerRole;
}
