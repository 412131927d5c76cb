import type { DecisionRecord } from '../decisions/decision-record.ts';

/** Decisions in one batch: a message of about 800 KB. */
export const LARGEST_BATCH = 500;

/**
 * The progress of each webhook: a position in the decisions, in the order in which they were committed. Only the
 * process that holds the lease of an export may change it; a change without the lease does nothing. All times are those of
 * `Storage.now`.
 */
export interface ExportStore {
  /** Registers the export. A new export begins with the decisions from now on; a known export stays unchanged. */
  add(name: string): Promise<void>;
  /**
   * Takes or renews the lease. False when another process has it.
   * @param leaseMs The time after which it expires, for example after the end of the process.
   */
  lease(holder: ExportHolder, leaseMs: number): Promise<boolean>;
  /** Releases the lease, so another process need not wait for its end. */
  release(holder: ExportHolder): Promise<void>;
  /**
   * The oldest decisions that are not delivered; null when all are. Until it is settled, every call returns the
   * same batch, without decisions that were erased or deleted meanwhile.
   * @param maxDecisions The size of a new batch, up to `LARGEST_BATCH`.
   */
  nextBatch(holder: ExportHolder, maxDecisions: number): Promise<ExportBatch | null>;
  /** Replaces the batch by one with its first decisions and an id of its own. The others follow in later batches. */
  shorten(holder: ExportHolder, batch: ExportBatch, toDecisions: number): Promise<void>;
  /** The batch was delivered. */
  delivered(holder: ExportHolder, batch: ExportBatch): Promise<void>;
  /** Records a failed try. Returns the milliseconds since the first failure in a row. */
  failed(holder: ExportHolder): Promise<number>;
  /** Skips and counts a bounded number of undelivered decisions that are older than the given time. */
  giveUp(holder: ExportHolder, ageMs: number): Promise<{ readonly count: number; readonly hasMore: boolean }>;
  /** Null when the export does not exist. */
  progress(name: string): Promise<ExportProgress | null>;
}

/** The process that delivers an export. */
export interface ExportHolder {
  readonly name: string;
  /** Different for each process. */
  readonly owner: string;
}

export interface ExportBatch {
  /** The same for every try. */
  readonly id: string;
  readonly decisions: readonly DecisionRecord[];
}

export interface ExportProgress {
  /** About how many decisions wait: ids of deleted decisions count too. */
  readonly waiting: number;
  readonly delivered: number;
  readonly givenUp: number;
  readonly failingSince: number | null;
}
