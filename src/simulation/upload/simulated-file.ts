import type { Config } from '../../config/config.ts';
import type { JudgementCounts } from '../judgement-counts.ts';
import type { History } from '../read-history.ts';
import type { ColumnChoice } from '../signup-columns.ts';

/** The largest number of signups in a file of the dashboard. They need about 100 MB of memory while they are judged. */
export const MAX_FILE_SIGNUPS = 250_000;

/** A file to judge. */
export interface FileToSimulate {
  /** The token from `sealFile`, and the account that uploaded the file. */
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
    /** Receives the number of judged signups and the number of all signups. */
    readonly onProgress: (judged: number, of: number) => void;
    /** Ends the work. */
    readonly signal: AbortSignal;
  },
) => Promise<SimulatedFile>;
