/**
 * Makes the compact files in `datasets/` from the npm packages in `node_modules`; part of `npm run build`.
 * `tsx scripts/build-data.ts --accept` accepts the present sources: it rewrites `config/datasets-baseline.json`.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildNetworks } from './build-data/asn-networks.ts';
import { baselineMistakes, readBaseline, writeBaseline } from './build-data/baseline.ts';
import { buildBrowserReleases } from './build-data/browser-releases.ts';
import { buildEmailSets } from './build-data/build-email-sets.ts';
import { buildCountries } from './build-data/country-ranges.ts';
import { acceptedBaseline } from './build-data/publication-dates.ts';
import { writeDatasets } from './build-data/write-datasets.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const baselineFile = join(root, 'config/datasets-baseline.json');

const sets = [...buildEmailSets(), buildBrowserReleases(), buildNetworks(), buildCountries()];
const sources = [
  ...new Map(sets.flatMap((set) => set.sources).map((source) => [source.name, source])).values(),
];
if (process.argv.includes('--accept')) {
  writeBaseline(baselineFile, acceptedBaseline(sources, readBaseline(baselineFile)));
}
const baseline = readBaseline(baselineFile);
const mistakes = baselineMistakes(sources, baseline);
if (mistakes.length > 0) {
  console.error('The data sets were not built:');
  for (const mistake of mistakes) console.error(`  ${mistake}`);
  console.error('If that is right, run: npx tsx scripts/build-data.ts --accept');
  process.exit(1);
}
writeDatasets(join(root, 'datasets'), sets, baseline);
