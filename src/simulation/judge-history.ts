import { parseMailbox } from '../addresses/email-address.ts';
import { parseIpAddress } from '../addresses/ip-address.ts';
import { type Attempt, createAttempt } from '../assessment/attempt.ts';
import { createPseudonymizer } from '../assessment/identity.ts';
import type { Judge, Judgement } from '../assessment/judge.ts';
import type { RiskLevel } from '../assessment/policy.ts';
import type { ReasonCode } from '../assessment/reasons.ts';
import { type Comparison, createComparison, createExamples } from './comparison.ts';
import { createJudgementCounts, type JudgementCounts } from './judgement-counts.ts';
import type { PastSignup } from './signup-row.ts';
import { createTimeline, type Timeline } from './timeline.ts';

/** The result of one policy for a history. */
export interface JudgedHistory {
  readonly counts: JudgementCounts;
  /** Null when no signup was judged. */
  readonly timeline: Timeline | null;
}

export interface ComparedHistory extends JudgedHistory {
  /** The result of a second policy for the same history; null without a second policy. */
  readonly against: JudgedAgainst | null;
}

export interface JudgedAgainst extends JudgedHistory {
  readonly comparison: Comparison;
  /** The first signups of each move from one level to another. */
  readonly examples: readonly ChangedSignup[];
}

export interface ChangedSignup {
  readonly signup: PastSignup;
  readonly before: Verdict;
  readonly after: Verdict;
}

export interface Verdict {
  readonly trustScore: number;
  readonly riskLevel: RiskLevel;
  /** The reasons of the factors that are not at low risk. */
  readonly reasons: readonly ReasonCode[];
}

export interface JudgeHistoryDependencies {
  readonly judge: Judge;
  /** This judge has its own counters, since both judges see the whole history. */
  readonly against: Judge | null;
  readonly onProgress: (judged: number) => void;
}

/** A history belongs to one site, so it is counted in one scope. */
const SCOPE = 'simulation';
/** Pseudonyms of a simulation are not stored, so their secret is fixed: the counters get the same keys in each run. */
const pseudonymize = createPseudonymizer(SCOPE);
/** About 20 ms of judging between two ticks of the event loop. */
const TURN = 1_000;
const EXAMPLES_PER_MOVE = 25;
/** The ids of a simulation are never looked up, since it stores nothing. */
const NO_REQUEST_ID = '00000000-0000-0000-0000-000000000000';

/** Judges past signups one after the other, each at its own time. The signups must be sorted by time. */
export async function judgeHistory(
  signups: readonly PastSignup[],
  { judge, against, onProgress }: JudgeHistoryDependencies,
): Promise<ComparedHistory> {
  const before = createVerdicts(signups);
  const after = against && { judge: against, verdicts: createVerdicts(signups), changes: createChanges() };
  for (const [i, signup] of signups.entries()) {
    const attempt = toAttempt(signup);
    const judgement = await judge.judge(attempt);
    before.add(signup, judgement);
    if (after) {
      const other = await after.judge.judge(attempt);
      after.verdicts.add(signup, other);
      after.changes.add(signup, judgement, other);
    }
    if ((i + 1) % TURN === 0) {
      onProgress(i + 1);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  onProgress(signups.length);
  return {
    ...before.judged,
    against: after && { ...after.verdicts.judged, ...after.changes.known() },
  };
}

function createVerdicts(signups: readonly PastSignup[]) {
  const { counts, add } = createJudgementCounts();
  const first = signups[0];
  const growing = first ? createTimeline(first.time, signups.at(-1)?.time ?? first.time) : null;
  const judged: JudgedHistory = { counts, timeline: growing?.timeline ?? null };
  return {
    judged,
    add(signup: PastSignup, judgement: Judgement): void {
      add(judgement, signup.label);
      growing?.add(signup.time, judgement.riskLevel);
    },
  };
}

function toAttempt(signup: PastSignup): Attempt {
  const { time, email, ipAddress, userAgent, line } = signup;
  const mailbox = parseMailbox(email);
  const ip = parseIpAddress(ipAddress);
  if (!mailbox || !ip) throw new Error(`line ${line} of a history was not checked before it was judged`);
  return createAttempt(
    {
      requestId: NO_REQUEST_ID,
      receivedAt: time,
      door: 'simulation',
      scope: SCOPE,
      route: null,
      email: { mailbox },
      ip,
      userAgent,
      headers: null,
    },
    pseudonymize,
  );
}

/** Counts the changes, and keeps a bounded number of examples of each kind. */
function createChanges() {
  const { comparison, add } = createComparison();
  const examples = createExamples<ChangedSignup>(EXAMPLES_PER_MOVE);
  return {
    add(signup: PastSignup, before: Judgement, after: Judgement): void {
      add(before.riskLevel, after.riskLevel, signup.label);
      if (before.riskLevel === after.riskLevel) return;
      examples.add(before.riskLevel, after.riskLevel, () => ({
        signup,
        before: toVerdict(before),
        after: toVerdict(after),
      }));
    },
    known: () => ({
      comparison,
      examples: examples.all().sort((a, b) => a.signup.time - b.signup.time),
    }),
  };
}

function toVerdict({ trustScore, riskLevel, factors }: Judgement): Verdict {
  const doubtful = factors.filter((factor) => factor.riskLevel !== 'low');
  return { trustScore, riskLevel, reasons: doubtful.map(({ reason }) => reason.code) };
}
