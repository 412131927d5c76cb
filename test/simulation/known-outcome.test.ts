import test from 'ava';
import { knownOutcomeOf } from '../../src/simulation/known-outcome.ts';

for (const [label, outcome, expected] of [
  ['fraud', null, 'fraud'],
  ['legitimate', null, 'legitimate'],
  [null, 'reported', 'fraud'],
  [null, 'verified', 'legitimate'],
  ['fraud', 'verified', 'fraud'],
  ['legitimate', 'reported', 'legitimate'],
  [null, 'expired', null],
  [null, 'locked', null],
  [null, 'corrected', null],
  [null, 'let_in', null],
  [null, 'refused', null],
  [null, null, null],
] as const) {
  test(`with the label ${label} and the outcome ${outcome}, a signup is known to be ${expected}`, (t) => {
    t.is(knownOutcomeOf(label, outcome), expected);
  });
}
