/**
 * Detection quality of the default policy on public data, DNS off, through the judge that serves: `npm run evaluate`.
 * `-- --fetch` downloads the public sets first, `-- --simulations` measures the simulated people and campaigns alone,
 * `-- --comparison` leaves them out and writes `docs/comparison.md`, `-- --docs` writes the tables of `docs/detection.md`.
 * Prints a table, writes `reports/evaluation.json` and `.md` and `docs/calibration.svg`, and ends with exit code 1 when a target is missed.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Judge } from '../src/assessment/judge.ts';
import { parseListEntry } from '../src/assessment/list-entry.ts';
import { REASONS } from '../src/assessment/reasons.ts';
import type { ScoringConfig } from '../src/config/config.ts';
import { loadConfig } from '../src/config/load.ts';
import { openConfiguredJudge } from '../src/configured-judge.ts';
import { createMemoryCounters, type MemoryCounters } from '../src/counters/memory-counters.ts';
import type { CurrentDatasets } from '../src/datasets/datasets.ts';
import { openDatasets } from '../src/datasets/open-datasets.ts';
import type { BoundedResolver } from '../src/processors/dns/bounded-resolver.ts';
import { loadEmailModels } from '../src/processors/email/email-models.ts';
import { toCalibrationPlot } from './evaluate/calibration-plot.ts';
import { measureCohorts } from './evaluate/cohort-rows.ts';
import { compare, toComparisonPage } from './evaluate/comparison.ts';
import { updateDetectionPage } from './evaluate/detection-page.ts';
import { measureDevices } from './evaluate/device-rows.ts';
import { measureEmail } from './evaluate/email-rows.ts';
import { readLaterNames, readUnseenNames } from './evaluate/found-names-rows.ts';
import { isMet, type Measurement } from './evaluate/measurement.ts';
import { measureNameModel } from './evaluate/name-model-rows.ts';
import { measureNetworks } from './evaluate/network-rows.ts';
import { createNeutralAttempts, FIRST_SIGNUPS, proveNeutral } from './evaluate/neutral-attempts.ts';
import { measurePeople } from './evaluate/people-rows.ts';
import { fetchPublicData, hasPublicData, missingPublicData } from './evaluate/public-data.ts';
import { measureReliability, type ReliabilityBand } from './evaluate/reliability.ts';
import { toReliabilityTable, toTable, writeReport } from './evaluate/report.ts';
import { whyNotMeasured } from './evaluate/rows-of-sets.ts';
import { measureTor } from './evaluate/tor-row.ts';

/** The sets that the model of names is measured with. */
const NAME_SETS = [
  'disposable-domains-live.txt',
  'university-domains.txt',
  'us-government-domains.txt',
  'top-domains.txt',
];

const isFetched = process.argv.includes('--fetch');
const isSimulations = process.argv.includes('--simulations');
const isComparison = process.argv.includes('--comparison');
const isDocs = process.argv.includes('--docs');
if (isDocs && (isSimulations || isComparison))
  throw new Error('--docs needs every row: leave --simulations and --comparison out.');

const now = Date.now();
const folder = fileURLToPath(new URL('../datasets/', import.meta.url));
const models = loadEmailModels(fileURLToPath(new URL('../models/', import.meta.url)));
const reports = fileURLToPath(new URL('../reports/', import.meta.url));

const knownNames = {
  reasons: REASONS,
  isListEntry: (text: string) => parseListEntry(text) !== null,
  warnOfReach: () => null,
  feedSources: [],
  texts: [],
  languages: [],
  findOverlaps: () => [],
};
const { config: defaults } = loadConfig({ file: null, env: {}, knownNames, folder: tmpdir() });
const scoring = { ...defaults.scoring, dns: { ...defaults.scoring.dns, enabled: false } };
const config = { ...defaults, scoring };

const datasets = await openDatasets({
  folder,
  feedsFolder: reports,
  config: config.datasets,
  clock: () => now,
});
const judge = openJudge(datasets);
const attempts = createNeutralAttempts(datasets.current, now);
await proveNeutral(judge, attempts);

const measurements: Measurement[] = [];
const reliability: ReliabilityBand[] = [];
const skipped: string[] = [];
if (isFetched) {
  for (const { file, failure } of await fetchPublicData()) {
    console.log(failure === null ? `fetched ${file}` : `NOT FETCHED: ${file}: ${failure}`);
  }
}
if (!isSimulations) await measurePublicData();
const campaigns = { datasets, scoring, openJudge: openJudgeWith };
if (!isComparison) {
  measurements.push(...(await measurePeople(campaigns)), ...(await measureCohorts(campaigns)));
}
const compared = isComparison ? compare(measurements, { network: datasets.current.network, attempts }) : [];
datasets.close();

writeReport(reports, {
  at: new Date(now).toISOString(),
  policyRevision: judge.policyRevision,
  dataRevision: datasets.current.revision,
  measurements,
  reliability,
  skipped,
});
if (isComparison) {
  const page = toComparisonPage(compared, new Date(now).toISOString().slice(0, 10));
  writeFileSync(fileURLToPath(new URL('../docs/comparison.md', import.meta.url)), page);
}
if (isDocs) {
  const file = fileURLToPath(new URL('../docs/detection.md', import.meta.url));
  const day = new Date(now).toISOString().slice(0, 10);
  const figures = { measurements, reliability, day, missingFiles: missingPublicData() };
  writeFileSync(file, updateDetectionPage(readFileSync(file, 'utf8'), figures));
}
console.log(toTable(measurements));
if (reliability.length > 0) {
  console.log(`\n${toReliabilityTable(reliability)}\n`);
  writeFileSync(
    fileURLToPath(new URL('../docs/calibration.svg', import.meta.url)),
    toCalibrationPlot(reliability),
  );
}
for (const what of skipped) console.warn(`NOT MEASURED: ${what}`);
const missed = measurements.filter((measurement) => isMet(measurement) === false);
console.log(
  missed.length === 0
    ? `All ${measurements.filter((m) => m.target).length} targets are met. Details: reports/evaluation.md`
    : `${missed.length} targets are missed: ${missed.map(({ set }) => set).join('; ')}`,
);
process.exitCode = missed.length === 0 ? 0 : 1;

async function measurePublicData(): Promise<void> {
  for (const file of missingPublicData()) skipped.push(whyNotMeasured(file));
  measurements.push(...(await measureEmail(judge, attempts)));
  if (hasPublicData(...NAME_SETS)) {
    measurements.push(...measureNameModel(models));
    reliability.push(...measureReliability(datasets.current.email, models));
  }
  measurements.push(
    ...readUnseenNames(),
    ...readLaterNames(),
    ...(await measureDevices(judge, attempts)),
    ...(await measureNetworks(judge, attempts, datasets.current.network)),
  );
  if (hasPublicData('tor-exits.txt'))
    measurements.push(await measureTor({ folder, config: config.datasets, now, openJudge }));
}

function openJudgeWith(counters: MemoryCounters, changed: ScoringConfig, resolver?: BoundedResolver): Judge {
  const log = { warn: (fields: object, message: string) => console.warn(message, fields) };
  const resources = { datasets, counters, log, ...(resolver && { resolver }) };
  return openConfiguredJudge(resources).judgeFor({ ...config, scoring: changed });
}

/** For neutral attempts. */
function openJudge(current: CurrentDatasets): Judge {
  const log = { warn: (fields: object, message: string) => console.warn(message, fields) };
  const counters = { ...createMemoryCounters(), cohorts: FIRST_SIGNUPS };
  return openConfiguredJudge({ datasets: current, counters, log }).judgeFor(config);
}
