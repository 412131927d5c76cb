/**
 * Before a release: are the packages of the built-in data at most 30 days behind the registry? `npm run data-age`. Exit
 * code 1 when one is not. A registry that does not answer is a warning, not a failure.
 */
import { fileURLToPath } from 'node:url';
import { readBaseline } from './build-data/baseline.ts';
import { agesOf, describeAge, MAX_DATA_AGE_DAYS, outdated } from './build-data/data-age.ts';

const baseline = readBaseline(fileURLToPath(new URL('../config/datasets-baseline.json', import.meta.url)));
const ages = await agesOf(baseline, { now: Date.now() });
for (const age of ages) console.log(describeAge(age));
const unknown = ages.filter(({ newest }) => newest === null);
if (unknown.length > 0)
  console.warn(`WARNING: ${unknown.length} of ${ages.length} packages were not checked.`);
const old = outdated(ages);
if (old.length > 0) {
  console.error(
    `${old.length} packages are more than ${MAX_DATA_AGE_DAYS} days old and have a newer version: ` +
      `npm install ${old.map(({ name }) => `${name}@latest`).join(' ')} && npx tsx scripts/build-data.ts --accept`,
  );
  process.exitCode = 1;
}
