import test from 'ava';
import { createValidity } from '../../src/config/issue-collector.ts';

test('a place is valid when nothing at, above or below it is wrong', (t) => {
  const { isValid, isShaped } = createValidity(new Set(['/a/b', '/c/0/d']));
  const valid = {
    '/a': false,
    '/a/b': false,
    '/a/b/c': false,
    '/a/bc': true,
    '/c': false,
    '/c/0': false,
    '/c/1': true,
    '/x': true,
  };
  for (const [pointer, expected] of Object.entries(valid)) t.is(isValid(pointer), expected, pointer);
  const shaped = { '/a': true, '/a/b': false, '/a/b/c': false, '/c/0': true, '/c/0/d/e': false };
  for (const [pointer, expected] of Object.entries(shaped)) t.is(isShaped(pointer), expected, pointer);
});

test('an issue about the whole document leaves no place valid', (t) => {
  const { isValid } = createValidity(new Set(['']));
  t.false(isValid('/a'));
});

test('without issues every place is valid', (t) => {
  t.true(createValidity(new Set()).isValid('/a/b'));
});
