import test from 'ava';
import { trainLetters } from '../../../scripts/train/local-parts.ts';
import { trigramsOf } from '../../../src/processors/email/random-local-part.ts';

test('sequences of the words are likelier than others, and none is impossible', (t) => {
  const weights = trainLetters(['anna', 'hanna', 'susanna', 'johanna', 'marianna']);
  const sum = (word: string) => [...trigramsOf(word)].reduce((total, at) => total + (weights[at] ?? 0), 0);
  t.true(sum('anna') > sum('naan'));
  t.true(sum('naan') > sum('xqzx'));
  t.true(weights.every((weight) => weight < 0 && weight >= -127));
});
