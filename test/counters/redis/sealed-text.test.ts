import test from 'ava';
import fc from 'fast-check';
import { createSealedText } from '../../../src/counters/redis/sealed-text.ts';
import { anyCharacter } from '../../helpers/any-character.ts';

const { seal, open } = createSealedText('a secret');

test('a sealed text is opened with the same secret, and never twice the same', (t) => {
  for (const text of ['', 'acme-works.com', 'jürgen\n€', 'x'.repeat(10_000)]) {
    t.is(createSealedText('a secret').open(seal(text)), text);
    t.not(seal(text), seal(text));
  }
});

test('a sealed text shows nothing of its content', (t) => {
  const sealed = seal('acme-works.com Mozilla/5.0');
  t.notRegex(sealed, /acme|works|Mozilla/);
  t.notRegex(Buffer.from(sealed, 'base64url').toString('latin1'), /acme|works|Mozilla/);
});

test('a text of another secret, a changed one and any other text are not opened', (t) => {
  const sealed = seal('acme-works.com');
  t.is(createSealedText('another secret').open(sealed), null);
  for (let i = 0; i < sealed.length - 1; i++) {
    const changed = `${sealed.slice(0, i)}${sealed[i] === 'A' ? 'B' : 'A'}${sealed.slice(i + 1)}`;
    t.is(open(changed), null, changed);
    t.is(open(sealed.slice(0, i)), null);
  }
  fc.assert(fc.property(fc.string({ unit: anyCharacter }), (text) => open(text) === null));
});
