import test from 'ava';
import { TRUE_OR_FALSE, textsLike } from '../../../scripts/generate-tables/item-rules.ts';
import { createTableReader } from '../../../scripts/generate-tables/table-reader.ts';

const read = (...lines: readonly string[]) => createTableReader('table.yaml', lines.join('\n'));
const words = () => textsLike(/^[a-z]+$/, 'a word');

test('a table without issues is read as it is written', (t) => {
  const reader = read('kinds:', '  one: [a, b]', '  two: [c]', 'is_new: true');
  const rule = words();
  t.deepEqual(reader.keys(['kinds']), ['one', 'two']);
  t.deepEqual(
    ['one', 'two'].flatMap((kind) => reader.items(['kinds', kind], rule)),
    ['a', 'b', 'c'],
  );
  t.true(reader.optional(['is_new'], TRUE_OR_FALSE));
  t.is(reader.optional(['is_old'], TRUE_OR_FALSE), null);
  t.deepEqual(reader.issues, []);
});

test('every issue is reported, each with its line, and what is wrong is left out', (t) => {
  const reader = read('kinds:', '  one: [a, 7]', '  two:', '    - a', 'is_new: maybe');
  const rule = words();
  t.deepEqual(reader.items(['kinds', 'one'], rule), ['a']);
  t.deepEqual(reader.items(['kinds', 'two'], rule), []);
  t.is(reader.optional(['is_new'], TRUE_OR_FALSE), null);
  t.deepEqual(reader.keys([], ['kinds', 'others']), ['kinds']);
  t.deepEqual(reader.keys(['is_new']), []);
  t.deepEqual(reader.issues, [
    'table.yaml:2: kinds.one[1] is not a word: 7',
    'table.yaml:4: kinds.two[0] repeats a, which is in kinds.one',
    'table.yaml:5: is_new is not true or false: "maybe"',
    'table.yaml:5: is_new is unknown; known are kinds, others',
    'table.yaml:1: the file has no others',
    'table.yaml:5: is_new is not a mapping of names',
  ]);
});
