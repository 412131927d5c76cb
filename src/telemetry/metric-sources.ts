import type { Metrics } from './metrics.ts';

/** Values that are read when the metrics are requested. */
export interface MetricSources {
  readonly metrics: Pick<Metrics, 'counters' | 'judging' | 'recording' | 'engineCalls'>;
  /** Lag of the event loop, in milliseconds. */
  readonly lagMs: () => number;
  /** Decisions that wait to be written. */
  readonly recordsQueueLength: () => number;
  readonly status: () => {
    readonly datasets: readonly MeasuredDataset[];
    readonly seesUntrustedForwarding: boolean;
    /** Of the gate, in milliseconds since the epoch; null without TLS. */
    readonly certificateExpiresAt: number | null;
  };
  /** Whether a feed was last fetched too long ago, or never. */
  readonly isOld: (dataset: MeasuredDataset, now: number) => boolean;
  /** Whether the engines behind the records and the counters answer now. */
  readonly engines: () => Promise<Readonly<Record<'records' | 'counters', boolean>>>;
  /**
   * The memory of the server of shared counters. Null when the node has its own counters, and before the first
   * measurement.
   */
  readonly countersMemory: () => MeasuredMemory | null;
  /** Days after today whose partition of decisions exists; null with SQLite, and while the database does not answer. */
  readonly partitionsAhead: () => Promise<number | null>;
  readonly jobs: () => readonly MeasuredJob[];
  readonly exports: () => readonly MeasuredExport[];
  /** The nodes that share the records; null with SQLite, and before the first report. */
  readonly fleet: () => MeasuredFleet | null;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

export interface MeasuredMemory {
  /** 0 when the server has no limit. */
  readonly usedShare: number;
  /** Whether keys with one member have a shorter lifetime now. */
  readonly isNearlyFull: boolean;
}

export interface MeasuredJob {
  readonly task: string;
  /** Whether this process runs it now. */
  readonly isHeld: boolean;
}

export interface MeasuredFleet {
  /** The number of nodes that report. */
  readonly alive: number;
  readonly issues: number;
  /** The difference between the clocks of this node and of the database; null before the first measurement. */
  readonly clockSkewMs: number | null;
}

export interface MeasuredExport {
  readonly name: string;
  /** Null before the first look of this process. */
  readonly progress: {
    readonly waiting: number;
    readonly givenUp: number;
    /** Milliseconds since the epoch; null while it is delivered. */
    readonly failingSince: number | null;
  } | null;
}

export interface MeasuredDataset {
  readonly name: string;
  /** The date of the source, ISO 8601. */
  readonly date: string;
  /** For a feed: the last successful fetch, milliseconds since the epoch. */
  readonly fetchedAt: number | null;
  /** For a feed: the reason why the last fetch failed. */
  readonly failure: string | null;
  /** For a feed: the age from which it is old, in milliseconds. */
  readonly oldAfterMs: number | null;
}
