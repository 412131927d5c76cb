import { linearScoresOf, type TrainedNames } from '../../src/processors/email/burner-name-model.ts';
import { readForest } from '../../src/processors/email/decision-forest.ts';
import { NAME_FACTS, writeNameFacts } from '../../src/processors/email/name-facts.ts';
import { createNameFamilies, hashFamily } from '../../src/processors/email/name-families.ts';
import {
  ALL_SUFFIXES,
  type SuffixTable,
  suffixFactsOf,
  topLevelKey,
} from '../../src/processors/email/suffix-counts.ts';
import { trainBoostedTrees } from './boosted-trees.ts';
import { trainLogisticRegression } from './logistic-regression.ts';
import { foldOf, type NameExample } from './name-examples.ts';
import { createRandom } from './random.ts';
import { writeForest } from './write-forest.ts';

const FOLDS = 5;
/** With fewer, the leaves hold single suffixes. */
const MIN_HESSIAN = 50;
/** Rarer suffixes stay out of the table. */
const MIN_NAMES_OF_SUFFIX = 5;

/** What training makes of the examples; the threshold is chosen later. */
export interface LearnedNames extends Pick<TrainedNames, 'scale' | 'suffixes'> {
  readonly weights: Int8Array<ArrayBuffer>;
  /** `hashFamily` of the curated labels, ascending, each once. */
  readonly families: Uint32Array<ArrayBuffer>;
  /** As `readForest` reads them. */
  readonly forest: Buffer;
}

/**
 * The regression, the suffix table, the families and the trees over all three. The trees learn from scores of regressions
 * that were trained without the fold of the name, because a regression is too sure of names that it has seen.
 */
export function trainBurnerNames(examples: readonly NameExample[]): LearnedNames {
  const suffixes = countSuffixes(examples);
  const families = countFamilies(examples);
  const facts = examples.map(() => new Float32Array(NAME_FACTS.length));
  for (let fold = 0; fold < FOLDS; fold++) {
    const weights = trainLogisticRegression(examples.filter(({ name }) => foldOf(name, FOLDS) !== fold));
    for (const [row, example] of examples.entries()) {
      const into = facts[row];
      if (!into || foldOf(example.name, FOLDS) !== fold) continue;
      const { label, suffix } = example;
      const linear = linearScoresOf(weights, 1, example);
      // The name itself is no sibling.
      const hasSibling = (families.get(hashFamily(label)) ?? 0) > (example.isCurated ? 1 : 0);
      writeNameFacts(into, {
        label,
        suffix,
        linear,
        suffixFacts: suffixFactsOf(suffixes, suffix),
        hasSibling,
      });
    }
  }
  const table = {
    columns: NAME_FACTS.map((_, fact) => Float32Array.from(facts, (row) => row[fact] ?? 0)),
    isPositive: Uint8Array.from(examples, ({ isBurner }) => (isBurner ? 1 : 0)),
    weights: balancedWeights(examples),
  };
  const forest = writeForest(
    trainBoostedTrees(table, createRandom(7), { minHessian: MIN_HESSIAN, weighsHardRows: true }),
  );
  const { weights, scale } = quantize(trainLogisticRegression(examples));
  return { weights, scale, suffixes, families: Uint32Array.from(families.keys()).sort(), forest };
}

/** How many curated names each family has. */
function countFamilies(examples: readonly NameExample[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const { label, isCurated } of examples) {
    const family = hashFamily(label);
    if (isCurated) counts.set(family, (counts.get(family) ?? 0) + 1);
  }
  return counts;
}

/** As the product has them, with no threshold and no calibration yet. */
export function uncalibrated({ families, forest, ...learned }: LearnedNames): TrainedNames {
  return {
    ...learned,
    threshold: 0,
    calibration: [],
    families: createNameFamilies(families),
    forest: readForest(forest, NAME_FACTS.length),
  };
}

/** Both classes weigh the same in sum, and the mean weight is 1. */
function balancedWeights(examples: readonly NameExample[]): Float64Array {
  const sum = (isBurner: boolean) =>
    examples.reduce((total, one) => total + (one.isBurner === isBurner ? one.treeWeight : 0), 0);
  const [burners, clean] = [sum(true), sum(false)];
  const half = examples.length / 2;
  return Float64Array.from(examples, (one) => (one.treeWeight * half) / (one.isBurner ? burners : clean));
}

function countSuffixes(examples: readonly NameExample[]): SuffixTable {
  const table = new Map<string, [number, number, number, number]>();
  for (const { suffix, counts } of examples) {
    for (const key of [suffix, topLevelKey(suffix), ALL_SUFFIXES]) {
      const row = table.get(key) ?? [0, 0, 0, 0];
      table.set(key, [row[0] + counts[0], row[1] + counts[1], row[2] + counts[2], row[3] + counts[3]]);
    }
  }
  const isCommon = ([, burners, visited, organisations]: readonly number[]) =>
    (burners ?? 0) + (visited ?? 0) + (organisations ?? 0) >= MIN_NAMES_OF_SUFFIX;
  return Object.fromEntries(
    [...table].filter(([, row]) => isCommon(row)).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** A few huge weights would cost all others their precision, so the outermost are cut. */
function quantize(exact: Float32Array): { weights: Int8Array<ArrayBuffer>; scale: number } {
  const sizes = exact.map(Math.abs).sort();
  const scale = (sizes[Math.floor(sizes.length * 0.9998)] ?? 1) / 127;
  return {
    weights: Int8Array.from(exact, (w) => Math.max(-127, Math.min(127, Math.round(w / scale)))),
    scale,
  };
}
