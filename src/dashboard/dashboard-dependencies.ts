import type { Pseudonymize } from '../assessment/identity.ts';
import type { Judge } from '../assessment/judge.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import type { Counters } from '../counters/counters.ts';
import type { DatasetInfo } from '../datasets/datasets.ts';
import type { DecisionRecorder } from '../decisions/decision-recorder.ts';
import type { LiveLists } from '../lists/live-lists.ts';
import type { MailQueue } from '../mail/mail-queue.ts';
import type { Storage } from '../storage/storage.ts';
import type { Exposition } from '../telemetry/exposition.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { ShownMailbox } from '../verification/shown-mailbox.ts';

/** What the dashboard is made of. It sees records and the configuration, never the processors. */
export interface DashboardDependencies {
  /** Of the moment: a reload changes it. Taken once a request. */
  readonly config: () => Config;
  readonly records: Storage;
  readonly recorder: Pick<DecisionRecorder, 'record'>;
  /** Allow and deny entries: changes hold at once, and are logged. */
  readonly lists: LiveLists;
  /** Takes the mails of registrations and forgotten passwords. */
  readonly mails: Pick<MailQueue, 'add'>;
  /** Shows the mails that no server takes; null where there is a server, or the listener is not on loopback. */
  readonly mailbox: ShownMailbox | null;
  /** Judges the registrations of the dashboard itself. */
  readonly judge: () => Judge;
  readonly pseudonymize: Pseudonymize;
  /** Bounds wrong passwords, on all nodes where they share counters. */
  readonly counters: Pick<Counters, 'limitFailures'>;
  /** Keys the tokens that forms carry. */
  readonly secret: string;
  /** Where people reach the dashboard: `https://gatekeeper.example`, without a path. */
  readonly publicUrl: () => string;
  /** Where clients reach the API door, for the `curl` that a new key is shown with. */
  readonly apiUrl: string;
  /** What `/metrics` shows. Made when somebody asks for the first time. */
  readonly exposition: () => Promise<Exposition>;
  readonly status: () => Promise<DashboardStatus> | DashboardStatus;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The state of the process that no record tells. */
export interface DashboardStatus {
  /** Forwarding headers arrive at the gate, and no proxy is trusted: every visitor looks alike. */
  readonly seesUntrustedForwarding: boolean;
  /** Bodies that look like a signup and that no route judged, since the start; most frequent first. */
  readonly unjudgedSignups: readonly {
    readonly method: string;
    readonly path: string;
    /** Where the address was, as the `email` of a route would name it. */
    readonly email: string;
    readonly count: number;
    readonly lastAt: number;
  }[];
  readonly datasets: readonly DatasetInfo[];
  /** Hash over the revisions of all of them. */
  readonly dataRevision: string;
}
