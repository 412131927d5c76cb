/**
 * `npm run train`: learns the names of throwaway domains, the known sites, and the frequencies of letters in words. Writes
 * `models/`, `data/found-names.json` and `data/earlier-names.bin`. Never reads the data on which `npm run evaluate`
 * measures.
 */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseDomainName } from '../src/addresses/email-address.ts';
import { createBurnerNameModel } from '../src/processors/email/burner-name-model.ts';
import { hashSiteNames } from '../src/processors/email/known-sites.ts';
import { createRandomLocalPartTest } from '../src/processors/email/random-local-part.ts';
import { halfOf } from './evaluate/reliability.ts';
import { calibrate } from './train/calibrate.ts';
import { findKnownSites } from './train/find-known-sites.ts';
import { measureLaterNames } from './train/later-names.ts';
import { readWords, trainLetters } from './train/local-parts.ts';
import { isHeldBack, mergeExamples } from './train/name-examples.ts';
import {
  chooseThreshold,
  percent,
  scoresOf,
  shareTable,
  thresholdFor,
  type UnseenWorld,
} from './train/name-thresholds.ts';
import { recallByHalf, toTableRow, type UnseenNames } from './train/recall-by-half.ts';
import { trainBurnerNames, uncalibrated } from './train/train-burner-names.ts';
import { readEarlierBlocklists, readTrainingLists, type TrainingList } from './train/training-domains.ts';
import { isBurnerWorld } from './train/training-packages.ts';

const models = fileURLToPath(new URL('../models/', import.meta.url));
const earlierNamesFile = fileURLToPath(new URL('../data/earlier-names.bin', import.meta.url));
const foundNamesFile = fileURLToPath(new URL('../data/found-names.json', import.meta.url));
/**
 * The largest share of the names of each world that may look like throwaway names, of those that no list contains. Most
 * sites and many organisations are known (`known-sites.bin`) and are never flagged, so the share among the unknown names may
 * be three to four times as high.
 */
const ALLOWED = { sites: 0.012, organisations: 0.006, schools: 0.003 } as const;
/** Suffixes in the report: those with most throwaway names. */
const REPORTED_SUFFIXES = 25;

const lists = await readTrainingLists();
const burnerNames = new Set(lists.flatMap(({ world, domains }) => (isBurnerWorld(world) ? domains : [])));
const known = findKnownSites(lists);
const examples = mergeExamples(lists).filter(({ name }) => !isHeldBack(name));
console.log(
  `${examples.length} names to learn from, ${lists.length} lists; every tenth name is held back; ${known.size} known sites`,
);
const learned = trainBurnerNames(examples);
const raw = createBurnerNameModel(uncalibrated(learned));

const wideNames = new Set(lists.filter(isWideBurner).flatMap(({ domains }) => domains));
const curatedAlone = unseen(lists.filter(isCuratedBurner)).filter((name) => !wideNames.has(name));
/** Thresholds and calibration are from the development half alone. */
const everyWorld: readonly UnseenWorld[] = [
  { name: 'curated burners on no wide list', names: curatedAlone, allowed: null },
  { name: 'burners of the wide lists', names: unseen(lists.filter(isWideBurner)), allowed: null },
  { name: 'sites: hsd', names: cleanOf(({ name }) => name === 'hsd'), allowed: ALLOWED.sites },
  {
    name: 'hosts: third-party-web',
    names: cleanOf(({ world }) => world === 'hosts'),
    allowed: null,
  },
  {
    name: 'organisations',
    names: cleanOf(({ world }) => world === 'organisations'),
    allowed: ALLOWED.organisations,
  },
  { name: 'schools', names: cleanOf(({ world }) => world === 'schools'), allowed: ALLOWED.schools },
];
const worlds = everyWorld.map((world) => ({ ...world, names: world.names.filter(isForDevelopment) }));
const threshold = chooseThreshold(worlds, raw);
const [burners = [], , sites = [], , ...others] = worlds.map(({ names }) => scoresOf(names, raw));
const calibration = calibrate(burners, [sites, ...others]);
const thresholds = {
  '0.3 % of hsd': thresholdFor(sites, 0.003),
  product: threshold,
  '1 % of hsd': thresholdFor(sites, 0.01),
};
const inputs = lists.map(({ domains, isCurated, ...list }) => ({ ...list, domains: domains.length }));
const bytes = Buffer.concat([
  Buffer.from(learned.weights.buffer),
  Buffer.from(learned.families.buffer),
  learned.forest,
]);
writeModel('burner-names', bytes, {
  format: 3,
  sha256: sha256(bytes),
  scale: learned.scale,
  threshold,
  calibration,
  families: learned.families.length,
  suffixes: learned.suffixes,
  inputs,
});
const hashes = Buffer.from(hashSiteNames(known).buffer);
writeModel('known-sites', hashes, { format: 1, sha256: sha256(hashes), sites: known.size });
console.table(inputs);
console.table(thresholds);
console.table(shareTable(worlds, raw, thresholds));
console.table(shareTable(worldsOfSuffixes(), raw, thresholds));
console.table(calibration);
const unseenRecall = recallByHalf(unseenNames(), raw);
console.table(unseenRecall.map(toTableRow));
const later = measureLaterNames([...lists, ...(await readEarlierBlocklists())]);
console.table(later);
writeFileSync(earlierNamesFile, hashSiteNames(namesOfEarlierLists()));
writeFileSync(foundNamesFile, `${JSON.stringify({ unseen: unseenRecall, later }, null, 2)}\n`);

const words = await readWords();
const letters = trainLetters(words.filter((word) => !isHeldBack(word)));
writeFileSync(join(models, 'local-parts.bin'), letters);
const isRandom = createRandomLocalPartTest(letters);
const heldWords = words.filter((word) => word.length >= 6 && isHeldBack(word));
const taken = heldWords.filter(isRandom).length;
console.log(
  `${words.length} words; of ${heldWords.length} held back ${percent(taken, heldWords.length)} % look random`,
);

/** The names for the targets: current curated names to find, and visited and linked sites as the cost. */
function unseenNames(): UnseenNames {
  const current = unseen(lists.filter(({ world, isCurated }) => world === 'burners' && isCurated));
  const visited = cleanOf(({ name }) => name === 'hsd');
  const organisations = cleanOf(({ world }) => world === 'organisations');
  const observed = cleanOf(({ world }) => world === 'hosts');
  const linked = new Set([...organisations, ...observed]);
  const others = new Set([...visited, ...organisations]);
  return {
    burners: current.filter((name) => !wideNames.has(name)),
    sites: {
      'visited sites': visited,
      'visited and linked sites': visited.filter((name) => linked.has(name)),
    },
    others: { organisations, 'hosts of other sites': observed.filter((name) => !others.has(name)) },
  };
}

function isForDevelopment(name: string): boolean {
  return halfOf(name) === 'development';
}

/** The throwaway names that the model has learned from and no list of the build has: the evaluation leaves them out. */
function namesOfEarlierLists(): ReadonlySet<string> {
  const current = new Set(lists.flatMap(({ world, domains }) => (world === 'burners' ? domains : [])));
  const earlier = lists.filter(({ world }) => world === 'earlier_burners').flatMap(({ domains }) => domains);
  return new Set(earlier.filter((name) => !current.has(name)));
}

function isCuratedBurner({ world, isCurated }: TrainingList): boolean {
  return isBurnerWorld(world) && isCurated;
}

function isWideBurner({ world, isCurated }: TrainingList): boolean {
  return isBurnerWorld(world) && !isCurated;
}

/** The names of these lists that training has not seen, each once. */
function unseen(from: readonly TrainingList[]): readonly string[] {
  return [...new Set(from.flatMap(({ domains }) => domains))].filter(isHeldBack);
}

function cleanOf(kind: (list: TrainingList) => boolean): readonly string[] {
  return unseen(lists.filter(kind)).filter((name) => !burnerNames.has(name));
}

/** Burners and clean names of the commonest suffixes, as worlds of their own. */
function worldsOfSuffixes(): UnseenWorld[] {
  const common = Object.entries(learned.suffixes)
    .filter(([suffix]) => !suffix.startsWith('.'))
    .sort(([, a], [, b]) => b[0] - a[0])
    .slice(0, REPORTED_SUFFIXES);
  const clean = cleanOf(({ world }) => !isBurnerWorld(world)).filter(isForDevelopment);
  return common.flatMap(([suffix]) => {
    const isUnder = (name: string) => parseDomainName(name)?.publicSuffix === suffix;
    return [
      {
        name: `.${suffix} burners`,
        names: curatedAlone.filter((name) => isUnder(name) && isForDevelopment(name)),
        allowed: null,
      },
      { name: `.${suffix} clean`, names: clean.filter(isUnder), allowed: null },
    ];
  });
}

function writeModel(name: string, content: Buffer, manifest: object): void {
  writeFileSync(join(models, `${name}.bin`), content);
  // The counts of a suffix stay on one line.
  const text = JSON.stringify(manifest, null, 2).replace(/\[[\d.,\s-]+\]/g, (numbers) =>
    numbers.replace(/\s+/g, ' '),
  );
  writeFileSync(join(models, `${name}.json`), `${text}\n`);
}

function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
