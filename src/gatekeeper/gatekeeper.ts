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
  /** Of the gate; null when only the API is served. */
  readonly gate: {
    readonly url: string;
    /** The file of the generated assertion secret; null when the configuration names a key. */
    readonly assertionSecretFile: string | null;
  } | null;
  /** Of the dashboard. */
  readonly dashboardUrl: string;
  /** The link for creating the first operator; null when there is one, or another start printed a link that is valid. */
  readonly setUpLink: string | null;
  /** Until when the link of another start is valid; null when this start made one, or an operator exists. */
  readonly earlierLinkValidUntil: number | null;
  /** The key that was created because there was none; null when a key existed, or `firstKey` was not requested. */
  readonly firstKey: string | null;
  /** Whether a key exists: in the storage, revoked keys too, or in the configuration. */
  readonly hasKeys: boolean;
  /**
   * Applies a changed configuration without losing a request: as a whole, or, when it throws, not at all.
   * @returns the settings that only a restart would change.
   */
  configure(config: Config): Promise<readonly string[]>;
  /** Shows in `/readyz` and on the dashboard that the configuration file cannot be used, until the next `configure`. */
  refuseConfiguration(because: string): void;
  /** Opens the file of the decision log again: a log rotation has moved it. */
  reopenLogs(): void;
  /**
   * Says so in `/readyz` for `server.stop_delay`. Then stops accepting, finishes running requests and closes everything, all
   * within `server.drain_timeout`.
   */
  stop(): Promise<void>;
}

/** Gatekeeper in this process. */
export interface GatekeeperProcess extends Gatekeeper {
  /**
   * Does all of `configure` that can fail.
   * @returns a function that applies the configuration, and returns the settings that only a restart would change.
   */
  prepare(config: Config): Promise<() => readonly string[]>;
  /** From now on `/readyz` says 503, and requests are still accepted. */
  drain(): void;
  /** The metrics of this process. */
  measure(): Promise<MetricsSnapshot>;
}

/** A process that serves the same doors as others, and what their parent gives it. The parent runs the jobs. */
export interface WorkerRole {
  readonly secrets: Secrets;
  readonly configuration: ConfigurationStatus;
  readonly storage: Pick<OpenStorageOptions, 'startQueue' | 'busyTimeoutMs'>;
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
  /** Creates a key when the storage has none: for a first run without a configuration. */
  readonly makeFirstKey: boolean;
  /** Aborts the start between two of its steps: open parts are closed, and the signal's reason is thrown. */
  readonly stop?: AbortSignal;
  /** Left out: this process does everything itself. */
  readonly worker?: WorkerRole;
}
