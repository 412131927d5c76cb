import { fileURLToPath } from 'node:url';
import test from 'ava';
import { readBaseline } from '../../../scripts/build-data/baseline.ts';
import { agesOf, describeAge, outdated } from '../../../scripts/build-data/data-age.ts';

const BASELINE = fileURLToPath(new URL('../../../config/datasets-baseline.json', import.meta.url));

test('the built-in data is at most 30 days behind the registry that npm is configured with', async (t) => {
  t.timeout(600_000);
  const ages = await agesOf(readBaseline(BASELINE), { now: Date.now() });
  t.true(ages.length > 5);
  const unknown = ages.filter(({ newest }) => newest === null);
  if (unknown.length > 0) {
    process.stderr.write(
      `WARNING: the registry did not answer for ${unknown.length} packages of the built-in data.\n`,
    );
  }
  t.deepEqual(outdated(ages).map(describeAge), []);
});
