import { type Attempt, createAttemptOutcome } from './attempt.ts';
import type { ListMatcher } from './lists.ts';
import type { Policy } from './policy.ts';
import type { Examination, Processor } from './processor.ts';
import { FACTORS, type Factor } from './reasons.ts';
import { type Examinations, type ListVerdict, type Score, scoreFactors } from './score.ts';

/** One judged attempt: the score and everything it was computed from. */
export interface Judgement extends Score {
  readonly attempt: Attempt;
  readonly examinations: Examinations;
  readonly lists: readonly ListVerdict[];
  /** True when a factor was not evaluated, or not completely. */
  readonly degraded: boolean;
  readonly policyRevision: string;
  readonly dataRevision: string;
  /** How long judging took, in milliseconds. */
  readonly elapsedMs: number;
}

/** Judges attempts. Never rejects: when a processor fails or is late, its factor is not evaluated. */
export interface Judge {
  readonly policy: Policy;
  /** The current revision: lists change while a judge is used. */
  readonly policyRevision: string;
  /**
   * @param isRefused Whether the door refuses this judgement; processors that count attempts receive the answer.
   * By default, high risk is refused.
   */
  judge(attempt: Attempt, isRefused?: (judgement: Judgement) => boolean): Promise<Judgement>;
}

export interface JudgeDependencies {
  /** One for each factor. */
  readonly processors: readonly Processor[];
  readonly policy: Policy;
  /** Read again for every judgement. */
  readonly policyRevision: string;
  readonly lists: ListMatcher;
  readonly dataRevision: () => string;
  /** The time for all processors together. Processors that are still waiting then are left out. */
  readonly deadlineMs: number;
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
  readonly onFailure: (factor: Factor, error: unknown) => void;
}

/** The judge for both doors. Processors run in parallel; those that answer at once need no timer. */
export function createJudge(parts: JudgeDependencies): Judge {
  const { processors, policy } = parts;

  async function judge(attempt: Attempt, isRefused = isHigh): Promise<Judgement> {
    const startedAt = parts.now();
    const outcome = createAttemptOutcome();
    const examinations = { email: null, ip_address: null, velocity: null, user_agent: null } as Record<
      Factor,
      Examination | null
    >;
    const waiting: Promise<void>[] = [];
    for (const processor of processors) {
      const { factor } = processor;
      try {
        const answer = processor.examine(attempt, outcome);
        if (answer instanceof Promise) {
          waiting.push(
            answer.then(
              (examination) => {
                examinations[factor] = examination;
              },
              (error: unknown) => parts.onFailure(factor, error),
            ),
          );
        } else {
          examinations[factor] = answer;
        }
      } catch (error) {
        parts.onFailure(factor, error);
      }
    }
    if (waiting.length > 0) await settledWithin(waiting, parts.deadlineMs);
    // A copy, because a late answer must not change the scored examinations.
    const judgement = conclude(attempt, { ...examinations }, startedAt);
    outcome.settle(isRefused(judgement));
    return judgement;
  }

  function conclude(attempt: Attempt, examinations: Examinations, startedAt: number): Judgement {
    const lists = parts.lists.match(attempt);
    const score = scoreFactors(examinations, lists, policy);
    const degraded = FACTORS.some((factor) => examinations[factor]?.incomplete !== null);
    return {
      // Named one by one: a spread costs more than computing the score.
      attempt,
      trustScore: score.trustScore,
      ownScore: score.ownScore,
      riskLevel: score.riskLevel,
      factors: score.factors,
      mean: score.mean,
      caps: score.caps,
      examinations,
      lists,
      degraded,
      policyRevision: parts.policyRevision,
      dataRevision: parts.dataRevision(),
      elapsedMs: parts.now() - startedAt,
    };
  }

  return {
    policy,
    get policyRevision() {
      return parts.policyRevision;
    },
    judge,
  };
}

function isHigh({ riskLevel }: Judgement): boolean {
  return riskLevel === 'high';
}

async function settledWithin(waiting: readonly Promise<void>[], deadlineMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, deadlineMs);
  });
  await Promise.race([Promise.all(waiting), deadline]);
  clearTimeout(timer);
}
