import test from 'ava';
import fc from 'fast-check';
import { createJudge } from '../../src/assessment/judge.ts';
import type { Policy, RiskLevel } from '../../src/assessment/policy.ts';
import { FACTORS } from '../../src/assessment/reasons.ts';
import type { Examinations } from '../../src/assessment/score.ts';
import { noLevels, sumOf } from '../../src/simulation/judgement-counts.ts';
import { type ReplayDependencies, replayDecisions } from '../../src/simulation/replay-decisions.ts';
import type { StoredDecision } from '../../src/storage/decisions/decision-record.ts';
import { DEFAULT_POLICY } from '../helpers/examinations.ts';
import { anyExaminations, anyPolicy, decisionOf, inChunks } from './any-decisions.ts';

const NO_LISTS: ReplayDependencies['lists'] = { match: () => [] };

const replay = (
  decisions: readonly StoredDecision[],
  policy: Policy,
  changed: Partial<ReplayDependencies> = {},
) =>
  replayDecisions({
    decisions: inChunks(decisions, 7),
    ...{ policy, levelsOf: () => policy.levels, lists: NO_LISTS, limit: 1_000, isWanted: () => true },
    ...changed,
  });

test('the counts are those of a judge with the same findings', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyExaminations, { maxLength: 40 }), anyPolicy, async (all, policy) => {
      const decisions = all.map((examined, i) => decisionOf(examined, i));
      const matrix = { low: noLevels(), medium: noLevels(), high: noLevels() };
      for (const { examinations, riskLevel } of decisions) {
        matrix[riskLevel][await judgeAgain(examinations, policy)]++;
      }
      const { comparison, after, decisions: count } = await replay(decisions, policy);
      t.deepEqual(comparison.matrix, matrix);
      t.is(count, decisions.length);
      t.is(sumOf(after.levels), decisions.length);
    }),
    { numRuns: 200 },
  );
});

async function judgeAgain(examined: Examinations, policy: Policy): Promise<RiskLevel> {
  const judge = createJudge({
    processors: FACTORS.map((factor) => ({
      factor,
      examine() {
        const found = examined[factor];
        if (!found) throw new Error('it could not be examined');
        return found;
      },
    })),
    ...{
      policy,
      configuredRevision: 'p',
      lists: { revision: '', match: () => [], matchPattern: () => null },
      data: { current: { revision: 'd' } },
      deadlineMs: 1_000,
    },
    ...{ now: () => 0, onFailure: () => {} },
  });
  const attempt = {} as Parameters<typeof judge.judge>[0];
  return (await judge.judge(attempt)).riskLevel;
}

const clean: Examinations = {
  email: { classification: 'personal_email', evidence: null, findings: [], incomplete: null },
  ip_address: { classification: 'residential_ip', evidence: null, findings: [], incomplete: null },
  velocity: { classification: 'normal_velocity', evidence: null, findings: [], incomplete: null },
  user_agent: { classification: 'standard_browser', evidence: null, findings: [], incomplete: null },
};
const STRICT: Policy = { ...DEFAULT_POLICY, levels: { low: 95, medium: 40 } };

test('the outcomes of differently treated signups are counted by move', async (t) => {
  const decisions = [
    decisionOf(clean, 0, { outcome: 'verified' }),
    decisionOf(clean, 1, { label: 'fraud' }),
    decisionOf(clean, 2, { outcome: 'expired', label: 'legitimate' }),
    decisionOf(clean, 3, { riskLevel: 'high', trustScore: 0, outcome: 'locked' }),
  ];
  const { stricter, milder, comparison } = await replay(decisions, STRICT);
  t.deepEqual(stricter, { verified: 1, expired: 1, locked: 0, legitimate: 1, fraud: 1 });
  t.deepEqual(milder, { verified: 0, expired: 0, locked: 1, legitimate: 0, fraud: 0 });
  t.deepEqual(comparison.known.fraud.low, { low: 0, medium: 1, high: 0 });
});

test('a report of the owner counts as fraud, a passed verification as legitimate', async (t) => {
  const decisions = [
    decisionOf(clean, 0, { outcome: 'reported' }),
    decisionOf(clean, 1, { outcome: 'verified' }),
    decisionOf(clean, 2, { outcome: 'verified', label: 'fraud' }),
    decisionOf(clean, 3, { outcome: 'expired' }),
  ];
  const { after, comparison } = await replay(decisions, STRICT);
  t.deepEqual(after.known, {
    fraud: { low: 0, medium: 2, high: 0 },
    legitimate: { low: 0, medium: 1, high: 0 },
  });
  t.is(comparison.known.fraud.low.medium, 2);
});

test('lists of the day still speak, and added entries with them', async (t) => {
  const denied = { verdict: 'denied', code: 'denylisted_email', evidence: 'acme.de' } as const;
  const then = [decisionOf(clean, 0, { lists: [denied], riskLevel: 'high', trustScore: 0 })];
  t.is((await replay(then, DEFAULT_POLICY)).comparison.matrix.high.high, 1);
  const added = await replay([decisionOf(clean, 0)], DEFAULT_POLICY, { lists: { match: () => [denied] } });
  t.is(added.comparison.matrix.low.high, 1);
  t.deepEqual(added.examples[0]?.after, { trustScore: 0, riskLevel: 'high', reasons: ['denylisted_email'] });
});

test('a route with levels of its own keeps them', async (t) => {
  const decisions = [decisionOf(clean, 0, { route: 'own' }), decisionOf(clean, 1, { route: 'other' })];
  const levelsOf = (route: string | null) => (route === 'own' ? DEFAULT_POLICY.levels : STRICT.levels);
  t.deepEqual((await replay(decisions, STRICT, { levelsOf })).after.levels, { low: 1, medium: 1, high: 0 });
});

test('the newest are replayed up to the limit, and the result says that there were more', async (t) => {
  const decisions = Array.from({ length: 30 }, (_, i) => decisionOf(clean, i));
  const limited = await replay(decisions, STRICT, { limit: 10 });
  t.is(limited.decisions, 10);
  t.true(limited.isLimited);
  t.is(limited.from, decisions[9]?.processedAt ?? 0);
  t.is(sumOf(limited.after.levels), 10);
  for (const limit of [30, 31, 28]) {
    const { decisions: count, isLimited } = await replay(decisions, STRICT, { limit });
    t.is(count, Math.min(30, limit));
    t.is(isLimited, limit < 30);
  }
});

test('of many alike moves the newest few are examples', async (t) => {
  const { examples } = await replay(
    Array.from({ length: 100 }, (_, i) => decisionOf(clean, i)),
    STRICT,
  );
  t.deepEqual(
    examples.map(({ requestId }) => requestId),
    Array.from({ length: 10 }, (_, i) => `request ${i}`),
  );
});

test('the replay ends early when it is no longer wanted', async (t) => {
  const decisions = Array.from({ length: 100 }, (_, i) => decisionOf(clean, i));
  const { decisions: count } = await replay(decisions, STRICT, { isWanted: () => false });
  t.is(count, 7);
});
