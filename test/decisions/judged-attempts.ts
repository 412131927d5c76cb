import { randomUUID } from 'node:crypto';
import type { Attempt } from '../../src/assessment/attempt.ts';
import { createJudge, type Judge, type Judgement } from '../../src/assessment/judge.ts';
import type { Examination } from '../../src/assessment/processor.ts';
import { FACTORS, type Factor } from '../../src/assessment/reasons.ts';
import { emailAttempt } from '../helpers/email-attempts.ts';
import { DEFAULT_POLICY, examination, examinations } from '../helpers/examinations.ts';

export const NOON = Date.UTC(2026, 10, 21, 12);

export function attemptOf(email: string | null): Attempt {
  return { ...emailAttempt(email), requestId: randomUUID(), receivedAt: NOON, route: 'signup' };
}

/** The judge, over processors that go by the local part: `medium@` scores 53, `high@` 20, any other 92. */
export function judgeByLocalPart(
  examine: (factor: Factor, attempt: Attempt) => Examination | null = () => null,
): Judge {
  const clean = examinations();
  return createJudge({
    processors: FACTORS.map((factor) => ({
      factor,
      examine(attempt) {
        const chosen = examine(factor, attempt) ?? clean[factor];
        if (!chosen) throw new Error(`no examination for ${factor}`);
        if (factor !== 'email') return chosen;
        const name = attempt.email.mailbox?.localPart;
        if (name === 'high') return examination('personal_email', 'invalid_email');
        if (name === 'medium') return { ...examination('personal_email'), base: 0 };
        return chosen;
      },
    })),
    policy: DEFAULT_POLICY,
    configuredRevision: 'policy-1',
    lists: { revision: '', match: () => [], matchPattern: () => null },
    data: { current: { revision: 'data-1' } },
    deadlineMs: 5_000,
    now: () => performance.now(),
    onFailure: () => {},
  });
}

export async function judgementOf(email: string | null): Promise<Judgement> {
  return judgeByLocalPart().judge(attemptOf(email));
}
