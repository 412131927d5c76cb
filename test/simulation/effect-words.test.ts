import test from 'ava';
import { plainText, wordsOf } from '../../src/simulation/effect-words.ts';
import { noLevels } from '../../src/simulation/judgement-counts.ts';
import { effectOf, levelsBefore } from '../../src/simulation/policy-effect.ts';

const FRAUD = { low: 1, medium: 5, high: 9 };
const LEGITIMATE = { low: 4_098, medium: 1, high: 1 };

test('the verdict counts what is stopped and who is hurt, refused and verified apart', (t) => {
  const words = wordsOf(effectOf({ fraud: FRAUD, legitimate: LEGITIMATE }), null);
  t.is(plainText(words.headline), 'Stops 14 of 15 known frauds; would hurt 2 of 4,100 legitimate people.');
  t.is(
    plainText(words.detail ?? []),
    'Frauds: 9 refused, 5 sent to verification. Legitimate people: 1 refused, 1 sent to verification.',
  );
  t.is(
    plainText(words.range ?? []),
    'Expect 70 to 99 % of frauds stopped and 0.01 to 0.18 % of legitimate people hurt (95 % interval). Labels are not a random sample.',
  );
  t.is(words.missing, null);
});

test('with another policy the verdict says before and after', (t) => {
  const matrix = (low: number, medium: number) => ({
    low: { low: 0, medium: low, high: 0 },
    medium: { low: 0, medium, high: 0 },
    high: noLevels(),
  });
  const before = effectOf(levelsBefore({ fraud: matrix(2, 8), legitimate: matrix(1, 0) }));
  const after = effectOf({
    fraud: { low: 0, medium: 10, high: 0 },
    legitimate: { low: 0, medium: 1, high: 0 },
  });
  t.is(
    plainText(wordsOf(after, before).headline),
    'Stops 8 → 10 of 10 known frauds; would hurt 0 → 1 of 1 legitimate person.',
  );
});

test('an outcome without any case is left out and named as missing', (t) => {
  const onlyFraud = wordsOf(
    effectOf({ fraud: { low: 0, medium: 0, high: 1 }, legitimate: noLevels() }),
    null,
  );
  t.is(plainText(onlyFraud.headline), 'Stops 1 of 1 known fraud.');
  t.regex(onlyFraud.missing ?? '', /^No signup is known to be legitimate/);
  const onlyPeople = wordsOf(effectOf({ fraud: noLevels(), legitimate: LEGITIMATE }), null);
  t.is(plainText(onlyPeople.headline), 'Would hurt 2 of 4,100 legitimate people.');
  t.regex(onlyPeople.missing ?? '', /^No signup is known to be fraud\. /);
  const neither = wordsOf(effectOf({ fraud: noLevels(), legitimate: noLevels() }), null);
  t.is(plainText(neither.headline), 'No verdict: no outcome is known.');
  t.is(neither.detail, null);
  t.is(neither.range, null);
  t.regex(neither.missing ?? '', /^No signup is known to be fraud or legitimate/);
});
