import test from 'ava';
import fc from 'fast-check';
import { scoreFactors } from '../../src/assessment/score.ts';
import { scoreByMedium } from '../../src/assessment/score-by-medium.ts';
import { anyDecisions, anyPolicy } from '../simulation/any-decisions.ts';

test('the score by threshold is the score under a policy with that threshold', (t) => {
  fc.assert(
    fc.property(anyDecisions(3), anyPolicy, (decisions, policy) => {
      for (const { examinations, lists } of decisions) {
        const scoreAt = scoreByMedium(examinations, lists, policy);
        for (let medium = 0; medium <= 100; medium++) {
          const under = { ...policy, levels: { low: 100, medium } };
          const { trustScore, ownScore } = scoreFactors(examinations, lists, under);
          t.deepEqual(scoreAt(medium), { trustScore, ownScore });
        }
      }
    }),
    { numRuns: 150 },
  );
});
