import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DomainName } from '../../addresses/email-address.ts';
import { countOfGrams, extractFeatures, FEATURE_BUCKETS, MAX_FEATURES } from './burner-name-features.ts';
import { type DecisionForest, readForest, sumOfLeaves } from './decision-forest.ts';
import { type CalibrationPoint, logRatioOf } from './name-calibration.ts';
import { NAME_FACTS, writeNameFacts } from './name-facts.ts';
import { createNameFamilies, type NameFamilies } from './name-families.ts';
import { type SuffixTable, suffixFactsOf } from './suffix-counts.ts';

/** Rates how similar a domain's name is to the names that throwaway services register. */
export interface BurnerNameModel {
  /** Names with at least this score are burner-like. `models/README.md` says how it was chosen. */
  readonly threshold: number;
  /**
   * The score of a name. It is higher for names that are more like throwaway names; `logRatio` gives its meaning. Null
   * for international names, and for a suffix without a name.
   */
  score(domain: DomainName): number | null;
  /** The score of the letters alone, without the suffix; 0 is neutral. Null when `score` is null. */
  letters(domain: DomainName): number | null;
  /**
   * The natural logarithm of a ratio: how often throwaway names have this score, divided by how often clean names have
   * it.
   */
  logRatio(score: number): number;
}

/** The content of `models/burner-names.json`, which describes the file beside it. */
export interface BurnerNameManifest {
  readonly format: 3;
  readonly sha256: string;
  /** The value of a weight byte of 127, divided by 127. */
  readonly scale: number;
  readonly threshold: number;
  readonly calibration: readonly CalibrationPoint[];
  readonly suffixes: SuffixTable;
  /** How many families of names the file has. */
  readonly families: number;
}

/** The result of training. */
export interface TrainedNames {
  readonly weights: Int8Array;
  readonly scale: number;
  readonly forest: DecisionForest;
  readonly families: NameFamilies;
  readonly suffixes: SuffixTable;
  readonly threshold: number;
  readonly calibration: readonly CalibrationPoint[];
}

/** One byte for each weight of the regression, then 32 bits for each family, little-endian, then the forest. */
const MODEL_FILE = 'burner-names.bin';
const MANIFEST_FILE = 'burner-names.json';

/**
 * Reads the model that `npm run train` made.
 *
 * @param folder `models/` of the package.
 * @throws {Error} when it is missing, damaged, or of another version of the code.
 */
export function loadBurnerNameModel(folder: string): BurnerNameModel {
  try {
    return createBurnerNameModel(readTrainedNames(folder));
  } catch (cause) {
    throw new Error(
      `The burner-name model in ${folder} cannot be used: ${cause instanceof Error ? cause.message : cause}. ` +
        'Reinstall the package, or run `npm run train` in a checkout.',
      { cause },
    );
  }
}

/** A regression over the letters, the suffix and the shape of a name; then trees over its score and facts of the name. */
export function createBurnerNameModel(trained: TrainedNames): BurnerNameModel {
  const { weights, scale, forest, families, suffixes, threshold, calibration } = trained;
  const facts = new Float32Array(NAME_FACTS.length);
  const ofCommonSuffixes = new Map(
    Object.keys(suffixes).map((suffix) => [suffix, suffixFactsOf(suffixes, suffix)]),
  );
  return {
    threshold,
    logRatio: (score) => logRatioOf(calibration, score),
    letters(domain) {
      const label = readableLabel(domain);
      return label === null
        ? null
        : linearScoresOf(weights, scale, { label, suffix: domain.publicSuffix })[1];
    },
    score(domain) {
      const label = readableLabel(domain);
      if (label === null) return null;
      const { publicSuffix: suffix } = domain;
      const linear = linearScoresOf(weights, scale, { label, suffix });
      const suffixFacts = ofCommonSuffixes.get(suffix) ?? suffixFactsOf(suffixes, suffix);
      const hasSibling = families.has(label);
      writeNameFacts(facts, { label, suffix, linear, suffixFacts, hasSibling });
      return sumOfLeaves(forest, facts);
    },
  };
}

/** The A-label of an international name is an encoding: its letters say nothing about the name. */
function readableLabel({ registrable, publicSuffix }: DomainName): string | null {
  if (registrable === null || registrable.startsWith('xn--')) return null;
  return registrable.slice(0, registrable.length - publicSuffix.length - 1);
}

const buckets = new Uint32Array(MAX_FEATURES);

/** The scores of the regression: of the whole name, and of its letters alone. */
export function linearScoresOf(
  weights: Int8Array | Float32Array,
  scale: number,
  { label, suffix }: { readonly label: string; readonly suffix: string },
): readonly [whole: number, letters: number] {
  const count = extractFeatures(label, suffix, buckets);
  const grams = countOfGrams(label);
  let letters = 0;
  let others = 0;
  for (let i = 0; i < grams; i++) letters += weights[buckets[i] ?? 0] ?? 0;
  for (let i = grams; i < count; i++) others += weights[buckets[i] ?? 0] ?? 0;
  const unit = scale / Math.sqrt(count);
  return [(letters + others) * unit, letters * unit];
}

function readTrainedNames(folder: string): TrainedNames {
  const manifest = JSON.parse(readFileSync(join(folder, MANIFEST_FILE), 'utf8')) as BurnerNameManifest;
  const bytes = readFileSync(join(folder, MODEL_FILE));
  if (manifest.format !== 3) throw new Error(`its format is ${manifest.format}, not 3`);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (sha256 !== manifest.sha256) throw new Error(`${MODEL_FILE} is not the file that its manifest names`);
  const forestAt = FEATURE_BUCKETS + 4 * manifest.families;
  if (bytes.length < forestAt) throw new Error(`${MODEL_FILE} holds too few weights`);
  const families = Uint32Array.from({ length: manifest.families }, (_, i) =>
    bytes.readUInt32LE(FEATURE_BUCKETS + 4 * i),
  );
  return {
    weights: new Int8Array(bytes.buffer, bytes.byteOffset, FEATURE_BUCKETS),
    scale: manifest.scale,
    forest: readForest(bytes.subarray(forestAt), NAME_FACTS.length),
    families: createNameFamilies(families),
    suffixes: manifest.suffixes,
    threshold: manifest.threshold,
    calibration: manifest.calibration,
  };
}
