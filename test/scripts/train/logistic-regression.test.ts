import test from 'ava';
import { type Example, trainLogisticRegression } from '../../../scripts/train/logistic-regression.ts';
import { extractFeatures, MAX_FEATURES } from '../../../src/processors/email/burner-name-features.ts';

const CONSONANTS = 'bcdfghjklm';
const examples: Example[] = Array.from({ length: 200 }, (_, i) => {
  const isBurner = i % 2 === 0;
  const letter = CONSONANTS[i % 10] ?? 'b';
  return {
    label: isBurner ? `${letter}q${i}z7x` : `${letter}aler${letter}osen`,
    suffix: isBurner ? 'ml' : 'de',
    isBurner,
    weight: 1,
  };
});

function scoreOf(weights: Float32Array, label: string, suffix: string): number {
  const into = new Uint32Array(MAX_FEATURES);
  return into
    .slice(0, extractFeatures(label, suffix, into))
    .reduce((sum, bucket) => sum + (weights[bucket] ?? 0), 0);
}

test('names like the burners score above zero, names like the clean ones below', (t) => {
  const weights = trainLogisticRegression(examples);
  t.true(scoreOf(weights, 'nq999z7x', 'ml') > 0);
  t.true(scoreOf(weights, 'nalernosen', 'de') < 0);
});

test('the same examples give the same weights', (t) => {
  t.deepEqual(trainLogisticRegression(examples), trainLogisticRegression(examples));
});
