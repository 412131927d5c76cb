import test from 'ava';
import fc from 'fast-check';
import { splitCsvRecord } from '../../src/simulation/csv-record.ts';
import { anyCharacter } from '../helpers/any-character.ts';

for (const [text, fields] of [
  ['a,b,c', ['a', 'b', 'c']],
  ['', ['']],
  [',', ['', '']],
  [' a , b ', ['a', 'b']],
  ['"a","b"', ['a', 'b']],
  ['"a,b",c', ['a,b', 'c']],
  ['"say ""hi""",c', ['say "hi"', 'c']],
  ['""', ['']],
  ['"""",x', ['"', 'x']],
  [' " a " , b', [' a ', 'b']],
  ['"a\nb",c', ['a\nb', 'c']],
  ['a,"",', ['a', '', '']],
] as const) {
  test(`the record ${JSON.stringify(text)} is split`, (t) =>
    t.deepEqual(splitCsvRecord(text, ','), [...fields]));
}

test('a tab may part fields, and is no blank then', (t) => {
  t.deepEqual(splitCsvRecord('"a"\t\t "b, c"', '\t'), ['a', '', 'b, c']);
});

test('a quote that is not closed leaves the record open', (t) => {
  for (const text of ['"', 'a,"b', '"a""', 'a,"b,c""d']) t.is(splitCsvRecord(text, ','), 'open', text);
});

test('a quote at an invalid place is a mistake', (t) => {
  for (const text of ['a"b', '"a"b,c', 'x,a"b"', '"john doe"@example.org,1']) {
    t.is(splitCsvRecord(text, ','), null, text);
  }
});

test('every quoted text is read back unchanged', (t) => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: anyCharacter }), { minLength: 1 }), (fields) => {
      const text = fields.map((field) => `"${field.replaceAll('"', '""')}"`).join(',');
      t.deepEqual(splitCsvRecord(text, ','), fields);
    }),
  );
});

test('splitting any text ends and throws nothing', (t) => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('"', ',', ' ', '\t', 'a', '\n') }), (text) => {
      const record = splitCsvRecord(text, ',');
      t.true(record === null || record === 'open' || record.length >= 1);
    }),
  );
});
