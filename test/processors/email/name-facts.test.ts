import test from 'ava';
import fc from 'fast-check';
import { NAME_FACTS, writeNameFacts } from '../../../src/processors/email/name-facts.ts';

function factsOf(label: string, suffix = 'com'): Readonly<Record<string, number>> {
  const into = new Float32Array(NAME_FACTS.length);
  writeNameFacts(into, {
    ...{ label, suffix, linear: [0.5, -0.25], suffixFacts: [1, 2, 3, 4, 5, 6, 7], hasSibling: true },
  });
  return Object.fromEntries(NAME_FACTS.map((fact, i) => [fact, into[i] ?? Number.NaN]));
}

test('the facts of a name are its scores, its suffix and its shape', (t) => {
  t.deepEqual(factsOf('7ab-xyz19', 'co.uk'), {
    score: 0.5,
    scoreOfLetters: -0.25,
    suffixCurated: 1,
    suffixBurners: 2,
    suffixCuratedToOrganisations: 3,
    topLevelCurated: 4,
    suffixBurnerCount: 5,
    suffixCleanCount: 6,
    suffixOrganisationCount: 7,
    length: 9,
    digits: 3,
    hyphens: 1,
    vowelShare: Math.fround(2 / 5),
    consonantRun: 1,
    vowelRun: 1,
    runs: 5,
    changes: 2,
    entropy: Math.fround(Math.log2(9)),
    distinctShare: 1,
    leadingDigits: 1,
    trailingDigits: 2,
    trailingLetters: 0,
    suffixLabels: 2,
    suffixLength: 5,
    mailWord: 0,
    sibling: 1,
  });
  t.is(factsOf('tempinbox').mailWord, 1);
});

test('every label, however long, has finite facts', (t) => {
  const label = fc.string({ unit: fc.constantFrom(...'abcxyz019-_'), maxLength: 63 });
  fc.assert(
    fc.property(label, (name) => {
      t.true(Object.values(factsOf(name)).every(Number.isFinite));
    }),
  );
});
