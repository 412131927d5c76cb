import test from 'ava';
import {
  decodeAsUtf8,
  foldCharacters,
  foldPath,
  isFoldable,
} from '../../../src/gate/routes/path-variants.ts';

test('every pair of escapes decodes as a buffer would decode it', (t) => {
  for (let first = 0; first < 256; first++) {
    for (let second = 0; second < 256; second++) {
      const bytes = Buffer.from([first, second]);
      const escapes = bytes.toString('hex').replace(/../g, '%$&');
      if (decodeAsUtf8(escapes) !== bytes.toString('utf8')) t.fail(escapes);
    }
  }
  t.is(decodeAsUtf8('%E3%81%82%f0%9f%98%80%41'), '\u3042\u{1f600}A');
});

test('spellings of one name fold to the same text', (t) => {
  for (const name of [
    'Signup',
    '\uff33\uff29\uff27\uff2e\uff35\uff30',
    '\u017fignup',
    's\u0131gnup',
    'sign\u00adup',
  ])
    t.is(foldCharacters(name), 'signup');
  t.is(foldPath('/%CE%A3%CE%A3/'), foldPath('/\u03c3\u03c2'));
  for (const path of ['/STRASSE', '/stra\u00dfe', '/STRA\u1e9eE', '/Stra%E1%BA%9Ee'])
    t.is(foldPath(path), '/strasse');
  t.is(foldPath('//Caf%C3%A9/Join/'), '/caf\u00e9/join');
});

test('a text with more combining marks in a row than people write is not folded', (t) => {
  t.true(isFoldable(`/caf${'e\u0301'.repeat(1_000)}`));
  t.true(isFoldable(`e${'\u0301\u0323'.repeat(15)}`));
  t.false(isFoldable(`e${'\u0301\u0323'.repeat(16)}`));
  t.false(isFoldable(`e${'\u0301\u034f\u0323'.repeat(16)}`));
});
