import test from 'ava';
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
