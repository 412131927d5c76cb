import test from 'ava';
import { parseYaml } from '../../src/config/parse-yaml.ts';

test('places of keys and values are found, and a missing place is that of its nearest parent', (t) => {
  const { value, positionOfKey, positionOfValue } = parseYaml('a:\n  - b: 1\n    "c/d": two\n');
  t.deepEqual(value, { a: [{ b: 1, 'c/d': 'two' }] });
  t.deepEqual(positionOfKey('/a/0/c~1d'), { line: 3, column: 5 });
  t.deepEqual(positionOfValue('/a/0/c~1d'), { line: 3, column: 12 });
  t.deepEqual(positionOfKey('/a/0'), { line: 2, column: 5 });
  t.deepEqual(positionOfValue('/a/0/missing/deeper'), { line: 2, column: 5 });
  t.deepEqual(positionOfValue('/nowhere'), { line: 1, column: 1 });
});

test('words that YAML 1.1 read as booleans and numbers are text, a version directive or not', (t) => {
  for (const head of ['', '%YAML 1.1\n---\n']) {
    const { value } = parseYaml(`${head}a: [off, no, yes, NO, 12:30, 0o17, 017]`);
    t.deepEqual(value, { a: ['off', 'no', 'yes', 'NO', '12:30', 15, 17] });
  }
});

test('keys that are the same in other spellings are duplicates', (t) => {
  for (const text of ['1: a\n"1": b', 'a: 1\n"a": 2', 'x: {a: 1, ? a : 2}', '&k a: 1\na: 2']) {
    t.is(parseYaml(text).issues.length, 1, text);
  }
});

test('a merge key is refused at its place, with what to write instead', (t) => {
  const { value, issues } = parseYaml('a: &a {x: 1}\nb:\n  <<: *a\n  y: 2\n');
  t.deepEqual(value, { a: { x: 1 }, b: { y: 2 } });
  t.deepEqual(issues, [
    {
      ...{ line: 3, column: 3, pointer: '/b/<<' },
      ...{ message: 'merge keys are not supported', hint: 'write the keys out' },
    },
  ]);
});

test('hostile sizes end in an issue: depth, brackets without end, text without end, many aliases', (t) => {
  const hostile = {
    brackets: '['.repeat(30_000),
    braces: `a: ${'{b: '.repeat(20_000)}`,
    sequence: `a:\n${'- '.repeat(20_000)}x`,
    'too long': `a: ${'x'.repeat(5 * 1_048_576)}`,
    aliases: `a: &a [${'x, '.repeat(1_000)}]\nb: [${'*a, '.repeat(1_000)}]`,
  };
  for (const [name, text] of Object.entries(hostile)) {
    const { issues } = parseYaml(text);
    t.true(issues.length > 0, name);
    t.true(issues.length < 1_000, name);
  }
});

test('many keys in one mapping are read, and duplicates are found', (t) => {
  const keys = Array.from({ length: 8_000 }, (_, i) => `k${i}: 1`).join('\n');
  t.deepEqual(parseYaml(keys).issues, []);
  t.like(parseYaml(`${keys}\nk7: 2`).issues[0], { line: 8_001, pointer: '/k7' });
});

test('a byte order mark, Windows line ends and a last line without end make no difference', (t) => {
  t.deepEqual(parseYaml('\uFEFFa: 1\r\nb:\r\n  - c').value, { a: 1, b: ['c'] });
});

test('a comment below an empty key, or behind a null, stands for no colour', (t) => {
  const text = 'a:\n  colour:\n    #0b5cad\n  logo: ~ #abc\n  list:\n    #add\n    - 1\n';
  t.deepEqual(parseYaml(text).issues, []);
});

test('a colour without quotes is a comment of YAML, which is said; other comments are none of values', (t) => {
  const { issues } = parseYaml('site:\n  colour: #0b5cad\n  contact: #later\n  logo: # 0b5cad\n');
  t.deepEqual(
    issues.map(({ line, pointer, message, hint }) => [line, pointer, message, hint]),
    [[2, '/site/colour', '#0b5cad is a comment here', 'put quotes around a value that begins with #']],
  );
});
