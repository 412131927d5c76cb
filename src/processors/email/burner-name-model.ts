import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DomainName } from '../../addresses/domain-name.ts';
import { extractFeatures, FEATURE_BUCKETS, MAX_FEATURES } from './burner-name-features.ts';

/** Rates how similar a domain's name is to the names that throwaway services register. */
export interface BurnerNameModel {
  /** Names with at least this score are burner-like: 1 % of the clean names outside the training set reach it. */
  readonly threshold: number;
  /**
   * Log odds for equally many burners and clean names. Null when the model gives no score: for international names, and
   * for clean names from training that it would misjudge (`dropbox.com`).
   */
  score(domain: DomainName): number | null;
}

/** The content of `models/burner-names.json` about the weights beside it. */
export interface BurnerNameManifest {
  readonly format: 1;
  readonly sha256: string;
  /** The value of a weight byte of 127, divided by 127. */
  readonly scale: number;
  readonly threshold: number;
}

/** The result of training. */
export interface TrainedNames {
  readonly weights: Int8Array;
  /** `hashName` of clean names that the weights alone would rate as burner-like. */
  readonly exceptions: ReadonlySet<number>;
  readonly scale: number;
  readonly threshold: number;
}

/** One byte a weight, then the exceptions as 32-bit numbers, little-endian. */
const WEIGHTS_FILE = 'burner-names.bin';
const MANIFEST_FILE = 'burner-names.json';

/**
 * Reads the weights that `npm run train` made.
 *
 * @param folder `models/` of the package.
 * @throws {Error} when they are missing, damaged, or of another version of the code.
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

export function createBurnerNameModel(trained: TrainedNames): BurnerNameModel {
  const { weights, exceptions, scale, threshold } = trained;
  const buckets = new Uint32Array(MAX_FEATURES);
  return {
    threshold,
    score({ registrable, publicSuffix }) {
      // The A-label of an international name is an encoding: its letters say nothing about the name.
      if (registrable === null || registrable.startsWith('xn--')) return null;
      const label = registrable.slice(0, registrable.length - publicSuffix.length - 1);
      const count = extractFeatures(label, publicSuffix, buckets);
      let sum = 0;
      for (let i = 0; i < count; i++) sum += weights[buckets[i] ?? 0] ?? 0;
      const score = (sum * scale) / Math.sqrt(count);
      return score >= threshold && exceptions.has(hashName(registrable)) ? null : score;
    },
  };
}

/** 32 bits of a name: with a few thousand exceptions, one name in a million is an exception by chance. */
export function hashName(name: string): number {
  return createHash('sha256').update(name).digest().readUInt32LE();
}

function readTrainedNames(folder: string): TrainedNames {
  const manifest = JSON.parse(readFileSync(join(folder, MANIFEST_FILE), 'utf8')) as BurnerNameManifest;
  const bytes = readFileSync(join(folder, WEIGHTS_FILE));
  if (manifest.format !== 1) throw new Error(`its format is ${manifest.format}, not 1`);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (sha256 !== manifest.sha256) throw new Error(`${WEIGHTS_FILE} is not the file that its manifest names`);
  if (bytes.length < FEATURE_BUCKETS) throw new Error(`${WEIGHTS_FILE} holds too few weights`);
  const exceptions = new Set<number>();
  for (let at = FEATURE_BUCKETS; at + 4 <= bytes.length; at += 4) exceptions.add(bytes.readUInt32LE(at));
  const weights = new Int8Array(bytes.buffer, bytes.byteOffset, FEATURE_BUCKETS);
  return { weights, exceptions, scale: manifest.scale, threshold: manifest.threshold };
}
