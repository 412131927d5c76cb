import type { Pseudonymize } from '../assessment/identity.ts';
import type { Judge } from '../assessment/judge.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import type { ConfigurationStatus } from '../config/reload.ts';
import type { Counters } from '../counters/counters.ts';
import type { DatasetInfo } from '../datasets/datasets.ts';
import type { DecisionRecorder } from '../decisions/decision-recorder.ts';
import type { LiveLists } from '../lists/live-lists.ts';
import type { MailQueue } from '../mail/mail-queue.ts';
import type { SimulateFile } from '../simulation/upload/simulated-file.ts';
import type { Storage } from '../storage/storage.ts';
import type { Exposition } from '../telemetry/exposition.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { ServiceOutcomes } from '../telemetry/service-outcomes.ts';
import type { Review } from '../verification/review.ts';
import type { ShownMailbox } from '../verification/shown-mailbox.ts';

/** The dependencies of the dashboard. It reads records and the configuration, never the processors. */
export interface DashboardDependencies {
  /** The current configuration; a reload changes it. Read once per request. */
  readonly config: () => Config;
  readonly records: Storage;
  readonly recorder: Pick<DecisionRecorder, 'record'>;
  /** Allow and deny entries. Changes apply at once and are logged. */
  readonly lists: LiveLists;
  /** The actions of the staff on held and refused signups; null without a gate. */
  readonly review: Review | null;
  /** Sends the mails of registrations and forgotten passwords. */
  readonly mails: Pick<MailQueue, 'add'>;
  /** Shows mails while there is no mail server; null with a mail server, or when the listener is not on loopback. */
  readonly mailbox: () => ShownMailbox | null;
  /** Judges the registrations of the dashboard itself. */
  readonly judge: () => Judge;
  readonly pseudonymize: Pseudonymize;
  /** Limits wrong passwords; on all nodes together, if they share counters. */
  readonly counters: Pick<Counters, 'limitFailures'>;
  /** The secret for the CSRF tokens of forms. */
  readonly secret: string;
  /** Encrypts the secrets of second factors in the records. */
  readonly secondFactorKey: string;
  /** The URL of the dashboard for its users: `https://gatekeeper.example`, without a path. */
  readonly publicUrl: () => string;
  /** The URL of the API for its clients, used in the `curl` example of a new key. */
  readonly apiUrl: string;
  /** The answer of `/metrics`. Created on the first request. */
  readonly exposition: () => Promise<Exposition>;
  readonly status: () => Promise<DashboardStatus> | DashboardStatus;
  /** Judges an uploaded file of past signups, outside the event loop. */
  readonly simulateFile: SimulateFile;
  readonly clock: Clock;
  readonly log: Logger;
}

/** State of the process that is not in the records. */
export interface DashboardStatus {
  /**
   * Whether forwarding headers arrive at the gate although no proxy is trusted. All visitors then have the address of
   * the proxy.
   */
  readonly seesUntrustedForwarding: boolean;
  /** The time since which this node counts alone because shared counters do not answer; null when they answer. */
  readonly countersLocalSince: number | null;
  /** Requests since the start whose bodies look like a signup and that no route judged; most frequent first. */
  readonly unjudgedSignups: readonly {
    readonly method: string;
    readonly path: string;
    /** The place of the email, written like the `email` of a route. */
    readonly email: string;
    /** Whether a route could find the email in one of the requests. */
    readonly isReadable: boolean;
    /** Whether the path may have other forms too: a request had a query, or named an operation. */
    readonly sharesPath: boolean;
    readonly count: number;
    readonly lastAt: number;
  }[];
  /** Signups since the start without an email at the place of their route; most frequent first. */
  readonly missingEmails: readonly {
    readonly route: string;
    /** The names of the fields, without values. */
    readonly fields: readonly string[];
    /** The line of YAML to write; null when no field looks like an email. */
    readonly proposal: string | null;
    readonly count: number;
    readonly lastAt: number;
    readonly isForwarding: boolean;
  }[];
  readonly datasets: readonly DatasetInfo[];
  /** Hash over the revisions of all data sets. */
  readonly dataRevision: string;
  readonly configuration: ConfigurationStatus;
  /** The recent answers of the resolver to this process; null when no rule uses the DNS. */
  readonly dns: ServiceOutcomes | null;
  /** The recent answers of the mail server to this process; null without a mail server. */
  readonly mail: ServiceOutcomes | null;
}
