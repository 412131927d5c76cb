import type { Attempt, AttemptOutcome } from './attempt.ts';
import type { EvidenceFields } from './evidence-fields.ts';
import type { ClassificationCode, Factor, FindingCode } from './reasons.ts';

/** One observation of a processor. */
export interface Finding {
  readonly code: FindingCode;
  /** A few words for people: the matching domain, the count and its limit. At most 200 characters. */
  readonly evidence: string | null;
  /** The facts of that sentence for programs, which never read the sentence. Left out when there are none. */
  readonly fields?: EvidenceFields;
  /**
   * Multiplies the points of the code, for evidence that can be weak or strong: 0 to 2, and 1 when left out. A policy
   * sets the points, a processor the strength.
   */
  readonly strength?: number;
  /** True when this finding limits the whole score to the decisive cap, whatever `scoring.decisive` says. */
  readonly decisive?: boolean;
  /**
   * True when other people can cause it (the counted value is only claimed by the sender, or shared with others), and
   * when it is only a guess. Such a finding leads to verification at most, unless `scoring.decisive` lists its code.
   */
  readonly shared?: boolean;
}

/** The result of a processor for one attempt. */
export interface Examination {
  readonly classification: ClassificationCode;
  /** Replaces the classification's base when the same fact has another weight: no user agent at the gate. 0 to 100. */
  readonly base?: number;
  /** Why it has this classification (an organisation, a browser and version); null when there is nothing to add. */
  readonly evidence: string | null;
  /** As in a finding. */
  readonly fields?: EvidenceFields;
  readonly findings: readonly Finding[];
  /** The check that failed (`dns: timeout`) while the others succeeded; null when all succeeded. */
  readonly incomplete: string | null;
}

/**
 * Examines an attempt for one factor. Returns the result directly when it can, and a promise only when it waits for
 * I/O.
 */
export interface Processor {
  readonly factor: Factor;
  /** @param outcome For a processor that remembers attempts. Without it, every attempt counts as accepted. */
  examine(attempt: Attempt, outcome?: AttemptOutcome): Examination | Promise<Examination>;
}
