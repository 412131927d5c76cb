import test from 'ava';
import { list, literal } from '../../../scripts/generate-tables/write-literal.ts';

test('texts are quoted, and other values are written as they are', (t) => {
  t.is(literal("Cote d'Ivoire \\"), String.raw`'Cote d\'Ivoire \\'`);
  t.deepEqual([7, true, null].map(literal), ['7', 'true', 'null']);
});

test('a list is wrapped below 110 columns, indented and ended by commas', (t) => {
  const lines = list(Array<string>(30).fill('abcdefgh'), '  ').split('\n');
  t.is(lines[0], '[');
  t.is(lines.at(-1), '  ]');
  t.true(lines.length > 3);
  for (const line of lines.slice(1, -1)) t.regex(line, /^ {4}'abcdefgh',.{0,95}$/);
  t.is(list([], ''), '[\n]');
});
