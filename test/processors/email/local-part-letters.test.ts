import test from 'ava';
import fc from 'fast-check';
import { TRIGRAMS, trigramsOf } from '../../../src/processors/email/random-local-part.ts';

test('a word has one trigram for each letter, the last one ending at its edge', (t) => {
  const edge = 26;
  const of = (first: number, second: number, third: number) => (first * 27 + second) * 27 + third;
  t.deepEqual([...trigramsOf('al')], [of(edge, 0, 11), of(0, 11, edge)]);
  t.deepEqual([...trigramsOf('a')], [of(edge, 0, edge)]);
});

test('every trigram of a word has an index in the table', (t) => {
  const word = fc.string({
    unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'),
    minLength: 1,
    maxLength: 64,
  });
  fc.assert(
    fc.property(word, (letters) => {
      const places = [...trigramsOf(letters)];
      t.is(places.length, letters.length);
      t.true(places.every((place) => place >= 0 && place < TRIGRAMS));
    }),
  );
});
