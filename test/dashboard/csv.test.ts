import test from 'ava';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { csvLines } from '../../src/dashboard/csv.ts';

const FORMULAS = ['=cmd|', '+1', '-2', '@SUM(A1)', '\tx', '\rx', '＝1', '＋1', '－1', '＠a'];

for (const formula of FORMULAS) {
  test(`${JSON.stringify(formula)} is not a formula in a spreadsheet`, (t) => {
    t.deepEqual(parse(csvLines([['a', formula]])), [['a', `'${formula}`]]);
  });
}

test('CSV keeps any text unchanged, except for the apostrophe before a formula', (t) => {
  const text = fc.string({ unit: 'binary-ascii', maxLength: 12 });
  const row = fc.array(text, { minLength: 2, maxLength: 4 });
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 5 }), (rows) => {
      const read = parse(csvLines(rows), { relax_column_count: true, record_delimiter: '\r\n' });
      const expected = rows.map((fields) =>
        fields.map((field) => (/^[=+\-@\t\r]/.test(field) ? `'${field}` : field)),
      );
      t.deepEqual(read, expected);
    }),
  );
});

test('numbers, booleans and null are written without quotes', (t) => {
  t.is(csvLines([[1, true, false, null, '']]), '1,true,false,,\r\n');
  t.is(csvLines([]), '');
});
