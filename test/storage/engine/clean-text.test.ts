import test from 'ava';
import fc from 'fast-check';
import { cleanText, jsonParameter } from '../../../src/storage/engine/clean-text.ts';
import { anyCharacter } from '../../helpers/any-character.ts';

/** Any sequence of UTF-16 units, halves of characters and NUL more often than by chance. */
const units = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc
    .array(fc.constantFrom('\0', '\ud800', '\udc00', 'a', '\\', '"', 'u0000', '\u{1f600}'))
    .map((parts) => parts.join('')),
);

test('NUL and halves of characters are replaced, everything else stays', (t) => {
  t.is(cleanText('a\0b\ud800c\udfff \ud83d\ude00'), 'a\ufffdb\ufffdc\ufffd \ud83d\ude00');
  fc.assert(
    fc.property(units, (text) => {
      const cleaned = cleanText(text);
      return !cleaned.includes('\0') && !/\p{Surrogate}/u.test(cleaned) && cleaned.length === text.length;
    }),
  );
  fc.assert(
    fc.property(units, (text) => {
      const harmless = text.replace(/[\0\p{Surrogate}]/gu, '');
      return cleanText(harmless) === harmless;
    }),
  );
});

test('JSON for a parameter holds the same values with cleaned texts', (t) => {
  fc.assert(
    fc.property(fc.array(fc.record({ text: units, nested: fc.array(units), n: fc.integer() })), (value) => {
      const expected = value.map(({ text, nested, n }) => {
        return { text: cleanText(text), nested: nested.map(cleanText), n };
      });
      t.deepEqual(JSON.parse(jsonParameter(value)), expected);
    }),
  );
  // The text of an escape is a text like any other.
  t.deepEqual(JSON.parse(jsonParameter(['\\u0000', '\\ud800'])), ['\\u0000', '\\ud800']);
});
