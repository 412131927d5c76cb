import test from 'ava';
import { lenientWord } from '../../../src/gate/signup-body/lenient-word.ts';
import { mayBeSignup } from './look-at-pieces.ts';

const WORD = new RegExp(lenientWord('register'), 'i');

const SPELLINGS: readonly (readonly [what: string, text: string])[] = [
  ['capitals', 'REGISTER'],
  ['an escape of a form', 'r%65gister'],
  ['an escape of an escape', 'r%2565gister'],
  ['an escape of JSON', 'r\\u0065gister'],
  ['an escape of JSON in JSON', 'r\\\\u0065gister'],
  ['a short escape of YAML', 'r\\x65gister'],
  ['a long escape of YAML', '\\U00000072egister'],
  ['a quoted letter', 're\\gister'],
  ['a continued line of YAML', 're\\\ngister'],
  ['a continued line of YAML with white space', 're\\\r\n  \t gister'],
  ['a continued line of YAML with much white space', `re\\\n${' '.repeat(3_000)}gister`],
  ['an empty continued line of YAML', 're\\\n\\\n  gister'],
  ['a continued line before an escape', 're\\\n  \\x67ister'],
  ['line feeds, one escaped', 're\n%0Agister'],
  ['quotes inside', 're"gi""ster'],
  ['an i with a dot in UTF-8', 'reg\xc4\xb0ster'],
  ['an escaped i without a dot', 'reg%C4%B1ster'],
];

for (const [what, text] of SPELLINGS) test(`a word with ${what} is found`, (t) => t.regex(text, WORD));

test('a word with other characters between its letters is another word', (t) => {
  for (const text of ['re gister', 're\n gister', 're-gister', 're\\U10000067ister', 're\\ gister'])
    t.notRegex(text, WORD);
});

test('long runs between two letters take linear time', (t) => {
  for (const run of ['\n', '"', '\\', '\\\n', '\\\n ', '\\\r\n\t']) {
    const began = performance.now();
    WORD.test(`re${run.repeat(300_000)}`);
    WORD.test(`re${run}`.repeat(100_000));
    t.true(performance.now() - began < 2_000, run);
  }
});

test('a word with a long run inside is found in any pieces', (t) => {
  for (const run of ['\n', '%0A', '%0a\n"'])
    for (const pieceSize of [1, 700, 1_500, 6_000]) {
      const body = `action=reg${run.repeat(5_000)}ister`;
      t.true(mayBeSignup(body, { type: 'application/x-www-form-urlencoded', pieceSize }), `${pieceSize}`);
    }
});

test('a name with a star is found in any pieces, before white space of any length', (t) => {
  for (const space of ['\n', ' ', '\n '])
    for (const pieceSize of [1, 50, 700]) {
      const body = `{"act*"${space.repeat(3_000)}:"register"}`;
      t.true(mayBeSignup(body, { type: 'application/json', pieceSize }), `${pieceSize}`);
    }
});
