import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Pseudonymize } from '../assessment/identity.ts';
import type { Clock } from '../clock.ts';
import type { ServerConfig } from '../config/config.ts';
import type { ConfigurationStatus } from '../config/reload.ts';
import type { Counters } from '../counters/counters.ts';
import type { DecisionRecorder } from '../decisions/decision-recorder.ts';
import type { LagMonitor } from '../http/event-loop.ts';
import type { Storage } from '../storage/storage.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { ApiMetrics } from '../telemetry/metrics.ts';
import type { Tracer } from '../telemetry/tracer.ts';
import type { ApiSettings } from './api-settings.ts';

export type Readiness =
  | {
      readonly ready: true;
      /** The time since which this node counts alone, in milliseconds. Null when its counters are as configured. */
      readonly countersLocalSince?: number | null;
      /** The time since which the records do not answer. Null when they answer. */
      readonly recordsAwaySince?: number | null;
      /**
       * Whether PostgreSQL notifies this node of changes. Null when that is unknown, or when PostgreSQL is not used.
       */
      readonly isNotified?: boolean | null;
      /** The kinds of problems that the nodes of the site have together. */
      readonly nodeIssues?: readonly string[];
      readonly configuration?: ConfigurationStatus;
      /** Names of the feeds that are old or were never fetched. */
      readonly oldFeeds?: readonly string[];
    }
  | { readonly ready: false; readonly draining: boolean /** A sentence. */; readonly because: string };

/** The dependencies of the API door. */
export interface ApiDependencies {
  readonly settings: () => ApiSettings;
  readonly records: Storage;
  readonly recorder: Pick<DecisionRecorder, 'commit'>;
  readonly counters: Counters;
  readonly pseudonymize: Pseudonymize;
  readonly limits: Pick<ServerConfig, 'body_timeout' | 'min_body_rate'>;
  readonly lag: Pick<LagMonitor, 'isOverloaded' | 'isLate'>;
  /** Names the sender of a request, who takes turns with others. */
  readonly senderOf: (request: IncomingMessage) => string;
  readonly readiness: () => Readiness | Promise<Readiness>;
  readonly metrics: ApiMetrics;
  /** Left out, or null: no traces. */
  readonly tracer?: Tracer | null;
  readonly clock: Clock;
  readonly log: Logger;
}

/** One request at the API. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** A UUID for this request and its decision. */
  readonly requestId: string;
  readonly receivedAt: number;
}
