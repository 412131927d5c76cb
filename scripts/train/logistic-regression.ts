import {
  extractFeatures,
  FEATURE_BUCKETS,
  MAX_FEATURES,
} from '../../src/processors/email/burner-name-features.ts';
import { createRandom } from './random.ts';

export interface Example {
  readonly label: string;
  readonly suffix: string;
  readonly isBurner: boolean;
  readonly weight: number;
}

const RATE = 0.1;
const DECAY = 1e-6;

/**
 * Logistic regression over hashed features by AdaGrad, with one pass over the examples: more passes learn the names by
 * heart. Both classes weigh the same in sum, and the mean weight is 1. The shuffle has a fixed seed, so that the same
 * examples give the same weights.
 *
 * @returns One weight a bucket. A name's score is the sum of its weights over the square root of their number.
 */
export function trainLogisticRegression(examples: readonly Example[]): Float32Array {
  const features = examples.map(featuresOf);
  const half = examples.length / 2;
  const balance = { burner: half / weightOf(examples, true), clean: half / weightOf(examples, false) };
  const weights = new Float32Array(FEATURE_BUCKETS);
  const squares = new Float32Array(FEATURE_BUCKETS).fill(0.1);
  const order = Uint32Array.from(examples.keys());
  const random = createRandom(42);
  shuffle(order, random);
  for (const index of order) {
    const example = examples[index];
    const buckets = features[index];
    if (!example || !buckets) continue;
    const scale = 1 / Math.sqrt(buckets.length);
    let sum = 0;
    for (const bucket of buckets) sum += weights[bucket] ?? 0;
    const probability = 1 / (1 + Math.exp(-sum * scale));
    const weight = example.weight * (example.isBurner ? balance.burner : balance.clean);
    const step = (probability - (example.isBurner ? 1 : 0)) * weight * scale;
    for (const bucket of buckets) {
      const before = weights[bucket] ?? 0;
      const gradient = step + DECAY * before;
      const square = (squares[bucket] ?? 0) + gradient * gradient;
      squares[bucket] = square;
      weights[bucket] = before - (RATE * gradient) / Math.sqrt(square);
    }
  }
  return weights;
}

function featuresOf({ label, suffix }: Example): Uint32Array {
  const into = new Uint32Array(MAX_FEATURES);
  return into.slice(0, extractFeatures(label, suffix, into));
}

function weightOf(examples: readonly Example[], isBurner: boolean): number {
  return examples.reduce((sum, example) => sum + (example.isBurner === isBurner ? example.weight : 0), 0);
}

function shuffle(order: Uint32Array, random: () => number): void {
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    const held = order[i] ?? 0;
    order[i] = order[j] ?? 0;
    order[j] = held;
  }
}
