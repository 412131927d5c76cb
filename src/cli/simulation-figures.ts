import type { ReasonCode } from '../assessment/reasons.ts';
import type { ComparedHistory } from '../simulation/judge-history.ts';
import { type JudgementCounts, type LevelCounts, sumOf } from '../simulation/judgement-counts.ts';
import type { History } from '../simulation/read-history.ts';

/** The results of one run of `gatekeeper simulate`, for every output format. */
export interface Simulation {
  /** The name of the file with the history. */
  readonly file: string;
  readonly history: History;
  readonly judged: ComparedHistory;
  /** The name of the other configuration file. Null when there is no comparison. */
  readonly against: string | null;
}

const MOST_DOUBTS = 15;

/** The reasons in the order of their frequency, the most frequent first. */
export function topDoubts({
  doubts,
}: JudgementCounts): readonly (readonly [ReasonCode, Readonly<LevelCounts>])[] {
  return [...doubts]
    .sort(([code, a], [otherCode, b]) => sumOf(b) - sumOf(a) || (code < otherCode ? -1 : 1))
    .slice(0, MOST_DOUBTS);
}

export function share(part: number, total: number): string {
  return `${total > 0 ? ((100 * part) / total).toFixed(1) : '0.0'} %`;
}

/** `2026-11-21 10:30`, in UTC. */
export function minute(time: number): string {
  return new Date(time).toISOString().slice(0, 16).replace('T', ' ');
}
