import test from 'ava';
import fc from 'fast-check';
import { createNameFamilies, hashFamily } from '../../../src/processors/email/name-families.ts';

const families = createNameFamilies(
  Uint32Array.from(['mail17', 'x7k2q9', 'dropbox-free'].map(hashFamily)).sort(),
);

for (const label of ['mail17', 'mail4', 'mail0', 'x123k4q56', 'dropbox-free']) {
  test(`${label} is of a family that a curated list has`, (t) => {
    t.true(families.has(label));
  });
}

for (const label of ['mail', '17mail', 'mail1a', 'xk2q9', 'dropboxfree', '']) {
  test(`"${label}" is of no such family`, (t) => {
    t.false(families.has(label));
  });
}

test('the numbers in a label do not change its family', (t) => {
  const text = fc.string({ unit: fc.constantFrom(...'abc-'), minLength: 1, maxLength: 8 });
  const number = fc.nat().map(String);
  fc.assert(
    fc.property(text, number, number, text, (before, one, other, after) => {
      t.is(hashFamily(before + one + after), hashFamily(before + other + after));
      t.not(hashFamily(before + after), hashFamily(before + one + after));
    }),
  );
});
