import test from 'ava';
import fc from 'fast-check';
import type { Policy } from '../../src/assessment/policy.ts';
import { findBestThresholds } from '../../src/simulation/best-thresholds.ts';
import { RISK_LEVELS } from '../../src/simulation/comparison.ts';
import { noLevels } from '../../src/simulation/judgement-counts.ts';
import { effectOf } from '../../src/simulation/policy-effect.ts';
import { replayDecisions } from '../../src/simulation/replay-decisions.ts';
import { ALL_GROUPS, createReplayTable } from '../../src/simulation/replay-table.ts';
import {
  countByThreshold,
  knownLevelsOf,
  levelsUnder,
  type ThresholdCounts,
} from '../../src/simulation/threshold-counts.ts';
import type { StoredDecision } from '../../src/storage/decisions/decision-record.ts';
import { DEFAULT_POLICY } from '../helpers/examinations.ts';
import { rounds } from '../helpers/rounds.ts';
import { anyDecisions, anyPolicy, decisionOf, inChunks } from './any-decisions.ts';

const OWN_LEVELS = new Map([['own', { low: 55, medium: 45 }]]);
const LIMITS = { decisions: 10_000, profiles: 10_000 };

function tableOf(decisions: readonly StoredDecision[], limits = LIMITS) {
  const { add, table } = createReplayTable(limits);
  for (const decision of decisions) {
    add({ ...decision, count: 1, route: decision.route === 'own' ? 'own' : null });
  }
  return table();
}

async function countsOf(decisions: readonly StoredDecision[], policy: Policy): Promise<ThresholdCounts> {
  const wanted = { policy, ownLevels: OWN_LEVELS, isWanted: () => true };
  const counts = await countByThreshold(tableOf(decisions), wanted);
  if (!counts) throw new Error('it was wanted');
  return counts;
}

function replay(decisions: readonly StoredDecision[], policy: Policy) {
  return replayDecisions({
    ...{ decisions: inChunks(decisions, 50), policy, lists: { match: () => [] } },
    levelsOf: (route) => (route === 'own' ? OWN_LEVELS.get(route) : undefined) ?? policy.levels,
    ...{ limit: 10_000, isWanted: () => true },
  });
}

test('the levels under any thresholds are those of a replay with that policy', async (t) => {
  await fc.assert(
    fc.asyncProperty(anyDecisions(40), anyPolicy, anyPolicy, async (decisions, policy, { levels }) => {
      const groups = levelsUnder(await countsOf(decisions, policy), levels);
      const { after, comparison } = await replay(decisions, { ...policy, levels });
      t.deepEqual(knownLevelsOf(groups), after.known);
      const matrix = { low: noLevels(), medium: noLevels(), high: noLevels() };
      for (const { recorded, group } of ALL_GROUPS) {
        for (const level of RISK_LEVELS) matrix[recorded][level] += groups[group]?.[level] ?? 0;
      }
      t.deepEqual(matrix, comparison.matrix);
    }),
    { numRuns: 60 },
  );
});

test('the best thresholds are those of a search over replays', async (t) => {
  const policy = DEFAULT_POLICY;
  await fc.assert(
    fc.asyncProperty(anyDecisions(25), fc.constantFrom(0, 0.2, 0.5, 1), async (decisions, share) => {
      const counts = await countsOf(decisions, policy);
      const best = await findBestThresholds(counts, share);
      let mostStopped = -1;
      for (let medium = 0; medium < 100; medium += 1) {
        for (let low = medium + 1; low <= 100; low += 1) {
          const { fraud, legitimate } = effectOf(knownLevelsOf(levelsUnder(counts, { low, medium })));
          if (legitimate.affected <= share * legitimate.known)
            mostStopped = Math.max(mostStopped, fraud.affected);
        }
      }
      t.is(best?.effect.fraud.affected ?? -1, mostStopped);
      if (!best) return;
      const { after } = await replay(decisions, { ...policy, levels: best.levels });
      t.deepEqual(effectOf(after.known), best.effect);
    }),
    { numRuns: rounds(12) },
  );
});

test('of thresholds that stop as many, the milder ones are chosen', async (t) => {
  const clean = decisionOf(
    {
      email: { classification: 'personal_email', evidence: null, findings: [], incomplete: null },
      ...{ ip_address: null, velocity: null, user_agent: null },
    },
    0,
    { label: 'legitimate' },
  );
  const worse = decisionOf({ email: null, ip_address: null, velocity: null, user_agent: null }, 1, {
    label: 'fraud',
  });
  const best = await findBestThresholds(await countsOf([clean, worse], DEFAULT_POLICY), 0);
  // A signup without any examination has 50 points: from 51 on it is stopped, and refused at no harm.
  t.deepEqual(best?.levels, { low: 52, medium: 51 });
  t.is(best?.effect.fraud.refused, 1);
  t.is(best?.effect.legitimate.affected, 0);
});

test('nothing is found when every pair of thresholds bothers somebody', async (t) => {
  const listed = { verdict: 'denied', code: 'denylisted_email', evidence: 'a' } as const;
  const person = decisionOf({ email: null, ip_address: null, velocity: null, user_agent: null }, 0, {
    ...{ label: 'legitimate', lists: [listed] },
  });
  const counts = await countsOf([person], DEFAULT_POLICY);
  t.is(await findBestThresholds(counts, 0), null);
  t.truthy(await findBestThresholds(counts, 1));
});

test('a table keeps no evidence, and ends at its limits', (t) => {
  const named = (classification: 'personal_email' | 'role_email' | 'corporate_email', i: number) =>
    decisionOf(
      {
        email: {
          ...{
            classification: classification as 'personal_email',
            evidence: 'jane@example.org',
            incomplete: null,
          },
          findings: [{ code: 'subaddressed_email', evidence: 'jane', fields: { tag: 'jane' } as never }],
        },
        ...{ ip_address: null, velocity: null, user_agent: null },
      },
      i,
    );
  const decisions = [named('personal_email', 0), named('personal_email', 1), named('corporate_email', 2)];
  const all = tableOf(decisions);
  t.is(all.profiles.length, 2);
  t.is(all.decisions, 3);
  t.is(all.from, decisions[2]?.processedAt ?? 0);
  t.false(all.isLimited);
  t.false(JSON.stringify(all.profiles).includes('jane'));
  for (const limits of [
    { decisions: 2, profiles: 10 },
    { decisions: 10, profiles: 1 },
  ]) {
    const limited = tableOf(decisions, limits);
    t.is(limited.decisions, 2);
    t.true(limited.isLimited);
    t.is(limited.from, decisions[1]?.processedAt ?? 0);
  }
});

test('counting ends when it is no longer wanted', async (t) => {
  const { add, table } = createReplayTable(LIMITS);
  for (const decisions of fc.sample(anyDecisions(40), { numRuns: 300, seed: 5 })) {
    for (const decision of decisions) add({ ...decision, count: 1 });
  }
  t.true(table().profiles.length > 250, 'more than one turn of work');
  const wanted = { policy: DEFAULT_POLICY, ownLevels: OWN_LEVELS, isWanted: () => false };
  t.is(await countByThreshold(table(), wanted), null);
});
