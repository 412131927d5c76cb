import { type Attempt, createAttemptOutcome } from './attempt.ts';
import type { ListMatcher } from './lists.ts';
import type { Policy } from './policy.ts';
import type { Examination, Finding, Processor } from './processor.ts';
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

/**
 * Judges attempts. The answer is direct when every processor answers directly: a promise for each signup would cost as
 * much as one processor. A judgement never fails: when a processor fails or is late, its factor is not evaluated.
 */
export interface Judge {
  readonly policy: Policy;
  /** The current revision of the policy. It changes when the lists change. */
  readonly policyRevision: string;
  /**
   * @param isRefused Whether the door refuses this judgement; processors that count attempts are informed. By default,
   * high risk is refused.
   */
  judge(attempt: Attempt, isRefused?: (judgement: Judgement) => boolean): Judgement | Promise<Judgement>;
}

export interface JudgeDependencies {
  /** One processor for each factor. */
  readonly processors: readonly Processor[];
  readonly policy: Policy;
  /** The revision of the configured policy, without the lists that change. */
  readonly configuredRevision: string;
  readonly lists: ListMatcher;
  /** The data that processors look up. A refresh replaces it. */
  readonly data: { readonly current: { readonly revision: string } };
  /** The time for all processors together. After it, the factors of waiting processors are not evaluated. */
  readonly deadlineMs: number;
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
  readonly onFailure: (factor: Factor, error: unknown) => void;
}

/** The judge for both doors. Processors run in parallel; those that answer at once need no timer. */
export function createJudge(dependencies: JudgeDependencies): Judge {
  const { processors, policy, lists, data } = dependencies;

  function policyRevision(): string {
    const { configuredRevision } = dependencies;
    return lists.revision === '' ? configuredRevision : `${configuredRevision}.${lists.revision}`;
  }

  function judge(attempt: Attempt, isRefused = isHigh): Judgement | Promise<Judgement> {
    const startedAt = dependencies.now();
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
              (error: unknown) => dependencies.onFailure(factor, error),
            ),
          );
        } else {
          examinations[factor] = answer;
        }
      } catch (error) {
        dependencies.onFailure(factor, error);
      }
    }
    const end = (settled: Examinations) => {
      const judgement = conclude(attempt, settled, startedAt);
      outcome.settle(isRefused(judgement));
      return judgement;
    };
    if (waiting.length === 0) return end(examinations);
    // A copy, because a late answer must not change the scored examinations.
    return settledWithin(waiting, dependencies.deadlineMs).then(() => end({ ...examinations }));
  }

  function conclude(attempt: Attempt, examined: Examinations, startedAt: number): Judgement {
    const examinations = withPattern(examined, lists.matchPattern(attempt));
    const verdicts = lists.match(attempt);
    const score = scoreFactors(examinations, verdicts, policy);
    const degraded = FACTORS.some((factor) => examinations[factor]?.incomplete !== null);
    return {
      // The fields are named one by one: a spread costs more than computing the score.
      attempt,
      trustScore: score.trustScore,
      ownScore: score.ownScore,
      riskLevel: score.riskLevel,
      factors: score.factors,
      mean: score.mean,
      caps: score.caps,
      examinations,
      lists: verdicts,
      degraded,
      policyRevision: policyRevision(),
      dataRevision: data.current.revision,
      elapsedMs: dependencies.now() - startedAt,
    };
  }

  return {
    policy,
    get policyRevision() {
      return policyRevision();
    },
    judge,
  };
}

/** Adds a denied pattern to the findings about the email. */
function withPattern(examinations: Examinations, pattern: Finding | null): Examinations {
  const { email } = examinations;
  if (!pattern || !email) return examinations;
  return { ...examinations, email: { ...email, findings: [...email.findings, pattern] } };
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
