import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DomainName } from '../../addresses/domain-name.ts';
import { extractFeatures, FEATURE_BUCKETS, MAX_FEATURES } from './burner-name-features.ts';

/** Says how much a domain's name looks like those that throwaway services register. */
export interface BurnerNameModel {
  /** From this score on a name is burner-like: 1 % of clean names that training held back reach it. */
  readonly threshold: number;
  /** Log odds for equally many burners and clean names; null for a name the model knows nothing of. */
  score(domain: DomainName): number | null;
}

/** What `models/burner-names.json` says about the weights beside it. */
export interface BurnerNameManifest {
  readonly format: 1;
  readonly sha256: string;
  /** What a weight byte of 127 stands for, divided by 127. */
  readonly scale: number;
  readonly threshold: number;
}

const WEIGHTS_FILE = 'burner-names.bin';
const MANIFEST_FILE = 'burner-names.json';

/**
 * Reads the weights that `npm run train` made.
 *
 * @param folder `models/` of the package.
 * @throws {Error} when they are missing, damaged, or of another version of the code.
 */
export function loadBurnerNameModel(folder: string): BurnerNameModel {
  const { manifest, weights } = readModel(folder);
  return createBurnerNameModel(weights, manifest);
}

export function createBurnerNameModel(
  weights: Int8Array,
  { scale, threshold }: Pick<BurnerNameManifest, 'scale' | 'threshold'>,
): BurnerNameModel {
  const buckets = new Uint32Array(MAX_FEATURES);
  return {
    threshold,
    score({ registrable, publicSuffix }) {
      // The A-label of an international name is a code: its letters say nothing of the name.
      if (registrable === null || registrable.startsWith('xn--')) return null;
      const label = registrable.slice(0, registrable.length - publicSuffix.length - 1);
      const count = extractFeatures(label, publicSuffix, buckets);
      let sum = 0;
      for (let i = 0; i < count; i++) sum += weights[buckets[i] ?? 0] ?? 0;
      return (sum * scale) / Math.sqrt(count);
    },
  };
}

function readModel(folder: string): { manifest: BurnerNameManifest; weights: Int8Array } {
  try {
    const manifest = JSON.parse(readFileSync(join(folder, MANIFEST_FILE), 'utf8')) as BurnerNameManifest;
    const bytes = readFileSync(join(folder, WEIGHTS_FILE));
    if (manifest.format !== 1) throw new Error(`its format is ${manifest.format}, not 1`);
    if (bytes.length !== FEATURE_BUCKETS)
      throw new Error(`it holds ${bytes.length} weights, not ${FEATURE_BUCKETS}`);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    if (sha256 !== manifest.sha256) throw new Error('its weights are not those that its manifest names');
    return { manifest, weights: new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length) };
  } catch (cause) {
    throw new Error(
      `The burner-name model in ${folder} cannot be used: ${cause instanceof Error ? cause.message : cause}. ` +
        'Reinstall the package, or run `npm run train` in a checkout.',
      { cause },
    );
  }
}
