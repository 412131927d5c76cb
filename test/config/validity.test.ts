import test from 'ava';
import { createValidity } from '../../src/config/validity.ts';

test('a place is sound when nothing at, above or below it is wrong', (t) => {
  const { isSound, isShaped } = createValidity(new Set(['/a/b', '/c/0/d']));
  const sound = {
    '/a': false,
    '/a/b': false,
    '/a/b/c': false,
    '/a/bc': true,
    '/c': false,
    '/c/0': false,
    '/c/1': true,
    '/x': true,
  };
  for (const [pointer, expected] of Object.entries(sound)) t.is(isSound(pointer), expected, pointer);
  const shaped = { '/a': true, '/a/b': false, '/a/b/c': false, '/c/0': true, '/c/0/d/e': false };
  for (const [pointer, expected] of Object.entries(shaped)) t.is(isShaped(pointer), expected, pointer);
});

test('a mistake about the whole document leaves nothing sound', (t) => {
  const { isSound } = createValidity(new Set(['']));
  t.false(isSound('/a'));
});

test('without mistakes everything is sound', (t) => {
  t.true(createValidity(new Set()).isSound('/a/b'));
});
