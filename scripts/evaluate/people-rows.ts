import { createMemoryCounters } from '../../src/counters/memory-counters.ts';
import type { CohortEvaluation } from './cohort-rows.ts';
import type { Measurement } from './measurement.ts';
import { groupOf, PEOPLE_GROUPS, type PeopleGroup } from './people-groups.ts';
import { createSimulatedAttempts, type ToAttempt } from './simulated-attempts.ts';
import { createSimulatedVerification } from './simulated-verification.ts';

const SEEDS = [1, 2, 3, 4, 5];
const TODAY = Date.UTC(2026, 9, 11, 14);

/** Groups of people who sign up at the same time: how many must verify. No person may be refused. */
export async function measurePeople(evaluation: CohortEvaluation): Promise<readonly Measurement[]> {
  const toAttempt = createSimulatedAttempts(evaluation.datasets.current);
  const rows: Measurement[] = [];
  for (const group of PEOPLE_GROUPS) rows.push(...(await measureGroup(group, evaluation, toAttempt)));
  return rows;
}

async function measureGroup(
  group: PeopleGroup,
  { datasets, scoring, openJudge }: CohortEvaluation,
  toAttempt: ToAttempt,
): Promise<readonly Measurement[]> {
  const reasons: Record<string, number> = {};
  let [population, medium, high] = [0, 0, 0];
  for (const seed of SEEDS) {
    const counters = createMemoryCounters();
    const judge = openJudge(counters, scoring);
    const { before, today } = groupOf(group, TODAY, seed);
    const verification = createSimulatedVerification(counters, datasets.current.email);
    for (const signup of before) verification.verify(toAttempt(signup, 'site'));
    for (const signup of today) {
      verification.advance(signup.at);
      const attempt = toAttempt(signup, 'site');
      const { riskLevel, factors } = await judge.judge(attempt);
      population++;
      if (riskLevel === 'low') continue;
      if (riskLevel === 'high') high++;
      else medium++;
      const code = factors.find(({ factor }) => factor === 'velocity')?.reason.code ?? 'none';
      reasons[code] = (reasons[code] ?? 0) + 1;
      if (group.isVerified && riskLevel === 'medium') verification.verifyLater(attempt);
    }
  }
  const shares = { medium: medium / population, high: high / population };
  const row = { population, whole: shares, reasons, apart: [], wrong: [] };
  const set = `people: ${group.name}, ${wordsOf(group)}`;
  const most = group.atMost / group.count;
  return [
    { ...row, set, counted: 'verification', hits: medium, target: { bound: 'at_most', share: most } },
    { ...row, set, counted: 'refused', hits: high, target: { bound: 'at_most', share: 0 } },
  ];
}

function wordsOf({ known, isVerified }: PeopleGroup): string {
  if (known > 0) return `${known} verified before`;
  return isVerified ? 'none verified before' : 'none verified, then or before';
}
