import test from 'ava';
import { ROWS_OF_SETS, whyNotMeasured } from '../../../scripts/evaluate/rows-of-sets.ts';
import { readCatalogue } from '../../../scripts/evaluate/set-catalogue.ts';

test('every set of the catalogue names the rows that are left out without it', (t) => {
  const files = readCatalogue().map(({ file }) => file);
  t.deepEqual(Object.keys(ROWS_OF_SETS).sort(), files.toSorted());
  t.is(
    whyNotMeasured('cloud-ranges.txt'),
    'cloud-ranges: cloud-ranges.txt is not in ../shared/data, and --fetch has not downloaded it',
  );
});
