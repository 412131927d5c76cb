import test from 'ava';
import fc from 'fast-check';
import { typingDistance } from '../../../src/processors/email/typing-distance.ts';

test('the same text has no distance, and texts of other lengths are far away', (t) => {
  t.is(typingDistance('gmail', 'gmail'), 0);
  t.is(typingDistance('', ''), 0);
  t.is(typingDistance('gmail', 'gm'), Number.POSITIVE_INFINITY);
  t.is(typingDistance('x'.repeat(10_000), 'gmail'), Number.POSITIVE_INFINITY);
});

for (const [nearer, farther] of [
  ['gmaill', 'gmailx'],
  ['gmial', 'gmxal'],
  ['gmsil', 'gmpil'],
  ['gmai1', 'gmai7'],
  ['gmeil', 'gmtil'],
  ['gmai', 'mail'],
  ['gmaik', 'hmail'],
] as const) {
  test(`${nearer} is nearer to gmail than ${farther}`, (t) => {
    t.true(typingDistance(nearer, 'gmail') < typingDistance(farther, 'gmail'));
  });
}

test('two slips cost as much as both together', (t) => {
  const both = typingDistance('hotmial', 'hotmail') + typingDistance('hootmail', 'hotmail');
  t.is(typingDistance('hootmial', 'hotmail'), both);
});

test('a bound changes no distance below it, and gives no distance above it', (t) => {
  const word = fc.string({ unit: fc.constantFrom(...'gmailhotx1.'), maxLength: 9 });
  const words = fc.tuple(word, word, fc.constantFrom('swap', 'other'), fc.nat(8));
  const bound = fc.constantFrom(0, 0.8, 1.1, 1.2, 1.8);
  fc.assert(
    fc.property(words, bound, ([typed, other, kind, at], atMost) => {
      const meant = kind === 'swap' ? swapped(typed, at) : other;
      const distance = typingDistance(typed, meant);
      t.is(typingDistance(typed, meant, atMost), distance <= atMost ? distance : Number.POSITIVE_INFINITY);
    }),
    { numRuns: 2_000, seed: 41 },
  );
});

function swapped(word: string, at: number): string {
  return word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2);
}
