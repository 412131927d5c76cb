import { weighHardRows } from './hard-rows.ts';

/** A tree as a list of nodes; the first is the root, and a node's left child follows it. */
export type Tree = readonly TreeNode[];

export type TreeNode =
  | { readonly column: number; readonly cut: number; readonly right: number }
  | { readonly value: number };

export interface TrainingTable {
  /** One array for each column, one value for each row. */
  readonly columns: readonly Float32Array[];
  /** 1 for rows of the class that is looked for. */
  readonly isPositive: Uint8Array;
  readonly weights: Float64Array;
}

const TREES = 120;
const LEAVES = 16;
const RATE = 0.1;
/** Every column is cut at this many quantiles at most. */
const BINS = 255;
const MIN_HESSIAN = 10;
const MIN_GAIN = 1e-3;
/** Share of the columns that a tree may use. */
const COLUMN_SHARE = 0.7;
/** Before this tree the scores are too coarse to say which rows are hard. */
const FIRST_WITH_HARD_ROWS = 40;
/** Hard rows are found anew after so many trees. */
const TREES_PER_WEIGHING = 10;

export interface GrowthOptions {
  /** Sum of second derivatives that a leaf needs. */
  readonly minHessian?: number;
  /** Whether negative rows with high scores count more in the later trees. */
  readonly weighsHardRows?: boolean;
}

/**
 * Gradient boosted trees for two classes with weights: histograms, grown leaf by leaf. The same table gives the same
 * trees. The sum of the values of the leaves that a row reaches is its log odds, except with hard rows: then it is a rank.
 */
export function trainBoostedTrees(
  table: TrainingTable,
  random: () => number,
  { minHessian = MIN_HESSIAN, weighsHardRows = false }: GrowthOptions = {},
): readonly Tree[] {
  const { columns, isPositive } = table;
  const rows = isPositive.length;
  const cuts = columns.map(cutsOf);
  const bins = columns.map((column, i) => Uint8Array.from(column, (value) => binOf(value, cuts[i] ?? [])));
  const scores = new Float64Array(rows);
  const gradients = new Float64Array(rows);
  const hessians = new Float64Array(rows);
  const forest: Tree[] = [];
  let { weights } = table;
  for (let tree = 0; tree < TREES; tree++) {
    if (weighsHardRows && tree >= FIRST_WITH_HARD_ROWS && tree % TREES_PER_WEIGHING === 0) {
      weights = weighHardRows(table, scores);
    }
    for (let i = 0; i < rows; i++) {
      const probability = 1 / (1 + Math.exp(-(scores[i] ?? 0)));
      gradients[i] = (probability - (isPositive[i] ?? 0)) * (weights[i] ?? 0);
      hessians[i] = probability * (1 - probability) * (weights[i] ?? 0);
    }
    const usable = columns.map(() => random() < COLUMN_SHARE);
    const root = growTree({ bins, cuts, gradients, hessians, usable, minHessian }, scores);
    forest.push(flatten(root, cuts));
  }
  return forest;
}

interface Growth {
  readonly bins: readonly Uint8Array[];
  readonly cuts: readonly (readonly number[])[];
  readonly gradients: Float64Array;
  readonly hessians: Float64Array;
  readonly usable: readonly boolean[];
  readonly minHessian: number;
}

/** For each column the sums of gradients and hessians of each bin, one after the other. */
type Histograms = readonly Float64Array[];

interface Split {
  readonly gain: number;
  readonly column: number;
  readonly bin: number;
}

interface GrowingNode {
  readonly members: Uint32Array;
  readonly histograms: Histograms;
  readonly gradient: number;
  readonly hessian: number;
  readonly split: Split | null;
  children: readonly [GrowingNode, GrowingNode] | null;
}

function growTree(growth: Growth, scores: Float64Array): GrowingNode {
  const everyRow = Uint32Array.from(scores.keys());
  const root = nodeOf(everyRow, histogramsOf(everyRow, growth), growth);
  const open = [root];
  while (open.length < LEAVES) {
    const best = open.reduce((a, b) => ((b.split?.gain ?? 0) > (a.split?.gain ?? 0) ? b : a));
    if (!best.split || best.split.gain < MIN_GAIN) break;
    best.children = splitNode(best, best.split, growth);
    open.splice(open.indexOf(best), 1, ...best.children);
  }
  for (const leaf of open) {
    const value = leafValueOf(leaf);
    for (const row of leaf.members) scores[row] = (scores[row] ?? 0) + value;
  }
  return root;
}

/** The smaller child is counted, the larger one is the rest. */
function splitNode(node: GrowingNode, { column, bin }: Split, growth: Growth): [GrowingNode, GrowingNode] {
  const bins = growth.bins[column] ?? new Uint8Array();
  const left = node.members.filter((row) => (bins[row] ?? 0) <= bin);
  const right = node.members.filter((row) => (bins[row] ?? 0) > bin);
  const isLeftSmall = left.length < right.length;
  const small = histogramsOf(isLeftSmall ? left : right, growth);
  const large = node.histograms.map((sums, i) => sums.map((sum, at) => sum - (small[i]?.[at] ?? 0)));
  return [
    nodeOf(left, isLeftSmall ? small : large, growth),
    nodeOf(right, isLeftSmall ? large : small, growth),
  ];
}

function nodeOf(members: Uint32Array, histograms: Histograms, growth: Growth): GrowingNode {
  let gradient = 0;
  let hessian = 0;
  for (const row of members) {
    gradient += growth.gradients[row] ?? 0;
    hessian += growth.hessians[row] ?? 0;
  }
  const split = bestSplit({ histograms, gradient, hessian }, growth);
  return { members, histograms, gradient, hessian, split, children: null };
}

function histogramsOf(members: Uint32Array, { bins, gradients, hessians }: Growth): Histograms {
  return bins.map((column) => {
    const sums = new Float64Array((BINS + 1) * 2);
    for (const row of members) {
      const at = (column[row] ?? 0) * 2;
      sums[at] = (sums[at] ?? 0) + (gradients[row] ?? 0);
      sums[at + 1] = (sums[at + 1] ?? 0) + (hessians[row] ?? 0);
    }
    return sums;
  });
}

function bestSplit(
  { histograms, gradient, hessian }: Pick<GrowingNode, 'histograms' | 'gradient' | 'hessian'>,
  { cuts, usable, minHessian }: Growth,
): Split | null {
  let best: Split | null = null;
  const whole = gainOf(gradient, hessian);
  for (const [column, sums] of histograms.entries()) {
    if (!usable[column]) continue;
    let leftGradient = 0;
    let leftHessian = 0;
    for (let bin = 0; bin < (cuts[column]?.length ?? 0); bin++) {
      leftGradient += sums[2 * bin] ?? 0;
      leftHessian += sums[2 * bin + 1] ?? 0;
      if (leftHessian < minHessian || hessian - leftHessian < minHessian) continue;
      const gain =
        gainOf(leftGradient, leftHessian) + gainOf(gradient - leftGradient, hessian - leftHessian) - whole;
      if (!best || gain > best.gain) best = { gain, column, bin };
    }
  }
  return best;
}

function gainOf(gradient: number, hessian: number): number {
  return (gradient * gradient) / (hessian + 1);
}

function leafValueOf({ gradient, hessian }: GrowingNode): number {
  return (-RATE * gradient) / (hessian + 1);
}

function flatten(root: GrowingNode, cuts: readonly (readonly number[])[]): Tree {
  const nodes: TreeNode[] = [];
  const add = (node: GrowingNode): number => {
    const at = nodes.length;
    nodes.push({ value: leafValueOf(node) });
    if (node.children && node.split) {
      const { column, bin } = node.split;
      add(node.children[0]);
      nodes[at] = { column, cut: cuts[column]?.[bin] ?? 0, right: add(node.children[1]) };
    }
    return at;
  };
  add(root);
  return nodes;
}

/** The quantiles of a column, ascending, each once. */
function cutsOf(column: Float32Array): number[] {
  const sorted = column.toSorted();
  const at = (i: number) => sorted[Math.floor(((i + 1) * sorted.length) / BINS)] ?? 0;
  return [...new Set(Array.from({ length: BINS - 1 }, (_, i) => at(i)))];
}

/** How many cuts are below the value. */
function binOf(value: number, cuts: readonly number[]): number {
  let low = 0;
  let high = cuts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (value > (cuts[middle] ?? 0)) low = middle + 1;
    else high = middle;
  }
  return low;
}
