import type { Attempt, AttemptOutcome } from './attempt.ts';
import type { EvidenceFields } from './evidence-fields.ts';
import type { ClassificationCode, Factor, FindingCode } from './reasons.ts';

/** One thing a processor noticed. */
export interface Finding {
  readonly code: FindingCode;
  /** A few words for a person: the domain that matched, the count and its limit. At most 200 characters. */
  readonly evidence: string | null;
  /** The facts in that sentence, for programs. Code reads these and never the sentence. Left out where there are none. */
  readonly fields?: EvidenceFields;
  /** True when this finding holds the whole score under the decisive cap, whatever `scoring.decisive` says. */
  readonly decisive?: boolean;
  /**
   * True when strangers can bring it about: what was counted is only claimed by the sender, or shared with others. Such
   * a finding asks for verification at most, unless its code is listed under `scoring.decisive`.
   */
  readonly shared?: boolean;
}

/** What a processor says about one attempt. */
export interface Examination {
  readonly classification: ClassificationCode;
  /** Replaces the classification's base where the same fact weighs otherwise: no user agent at the gate. 0 to 100. */
  readonly base?: number;
  /** Why it was classified so (an organisation, a browser and version); null when there is nothing to add. */
  readonly evidence: string | null;
  /** As a finding's. */
  readonly fields?: EvidenceFields;
  readonly findings: readonly Finding[];
  /** What could not be looked at (`dns: timeout`), while the rest was; null when all was. */
  readonly incomplete: string | null;
}

/** Examines an attempt for one factor. Answers at once where it can; a promise only where it waits for I/O. */
export interface Processor {
  readonly factor: Factor;
  /** @param outcome For a processor that remembers attempts. Left out, every attempt counts as accepted. */
  examine(attempt: Attempt, outcome?: AttemptOutcome): Examination | Promise<Examination>;
}
