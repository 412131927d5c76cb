import test from 'ava';
import fc from 'fast-check';
import { anyCharacter } from './any-character.ts';

const canBe = (text: string) => anyCharacter.canShrinkWithoutContext(text);

test('a character is any of Unicode, and no half of one', (t) => {
  t.notThrows(() =>
    fc.assert(
      fc.property(
        anyCharacter,
        (character) => [...character].length === 1 && Buffer.from(character).toString() === character,
      ),
    ),
  );
  for (const character of ['\0', 'a', '\ud7ff', '\ue000', '\uffff', '\u{10ffff}'])
    t.true(canBe(character), character);
  for (const text of ['', 'ab', '\ud800', '\udfff']) t.false(canBe(text), text);
});

test('texts of any characters contain names of properties that each object has', (t) => {
  const texts = fc.sample(fc.string({ unit: anyCharacter }), 5000);
  t.true(texts.some((text) => text.includes('__proto__') || text.includes('toString')));
});
