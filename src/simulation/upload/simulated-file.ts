import type { Config } from '../../config/config.ts';
import type { JudgementCounts } from '../judgement-counts.ts';
import type { History } from '../read-history.ts';
import type { ColumnChoice } from '../signup-columns.ts';

/** How many signups a file of the dashboard may have: about 100 MB of memory while they are judged. */
export const MAX_FILE_SIGNUPS = 250_000;

/** A file to judge. */
export interface FileToSimulate {
  /** Of `sealFile`, with the account that uploaded it. */
  readonly token: string;
  readonly owner: string;
  readonly choice: ColumnChoice;
  readonly config: Config;
}

/** The signups of a file under the policy of the configuration. */
export interface SimulatedFile extends Pick<History, 'rows' | 'unreadable' | 'problems'> {
  readonly signups: number;
  readonly counts: JudgementCounts;
}

/**
 * Judges a file as `gatekeeper simulate` does, outside the event loop.
 * @throws {HistoryError} when the file cannot be read; its message says what to do.
 */
export type SimulateFile = (
  file: FileToSimulate,
  options: {
    /** How many signups are judged, and how many there are. */
    readonly onProgress: (judged: number, of: number) => void;
    /** Ends the work. */
    readonly signal: AbortSignal;
  },
) => Promise<SimulatedFile>;
