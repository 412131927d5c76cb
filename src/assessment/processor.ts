import type { Attempt, AttemptOutcome } from './attempt.ts';
import type { EvidenceFields } from './evidence-fields.ts';
import type { ClassificationCode, Factor, FindingCode } from './reasons.ts';

/** One observation of a processor. */
export interface Finding {
  readonly code: FindingCode;
  /** A few words for people: the matching domain, the count and its limit. At most 200 characters. */
  readonly evidence: string | null;
  /**
   * The facts of that sentence for programs, so that programs need not read the sentence. Left out when there are no
   * facts.
   */
  readonly fields?: EvidenceFields;
  /**
   * Multiplies the points of the code, for evidence that can be weak or strong. The range is 0 to 2; the default is 1.
   * The policy sets the points, and the processor sets the strength.
   */
  readonly strength?: number;
  /** True when this finding limits the whole score to the decisive cap, whatever `scoring.decisive` says. */
  readonly decisive?: boolean;
  /**
   * True for a finding that other people can cause: the counted value is only claimed by the sender, or is shared with
   * others. Also true for a finding that is only a guess. Such a finding leads to verification and not to more, unless
   * `scoring.decisive` lists its code.
   */
  readonly shared?: boolean;
}

/** The result of a processor for one attempt. */
export interface Examination {
  readonly classification: ClassificationCode;
  /**
   * Replaces the base of the classification, 0 to 100. For a fact whose weight depends on the door: no user agent at
   * the gate.
   */
  readonly base?: number;
  /**
   * The reason for this classification, such as an organisation, or a browser and its version. Null when there is
   * nothing to add.
   */
  readonly evidence: string | null;
  /** The same facts for programs, as in a finding. */
  readonly fields?: EvidenceFields;
  readonly findings: readonly Finding[];
  /** The check that failed (`dns: timeout`) while the other checks succeeded. Null when all checks succeeded. */
  readonly incomplete: string | null;
}

/**
 * Examines an attempt for one factor. Returns the result directly when it can, and a promise only when it waits for
 * I/O.
 */
export interface Processor {
  readonly factor: Factor;
  /** @param outcome Informs a processor that remembers attempts. Without it, every attempt counts as accepted. */
  examine(attempt: Attempt, outcome?: AttemptOutcome): Examination | Promise<Examination>;
}
