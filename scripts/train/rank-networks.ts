import { type Tree, trainBoostedTrees } from './boosted-trees.ts';
import type { NetworkShape } from './network-shapes.ts';
import { learnWords } from './organisation-words.ts';
import { createRandom } from './random.ts';

/** How much each network looks like those of one use: log odds of the trees. */
export interface NetworkRanking {
  /** Of networks without a class, by number. */
  readonly unknown: ReadonlyMap<number, number>;
  /** Of networks whose class is known, from trees that have not seen them. */
  readonly crossValidated: readonly { readonly shape: NetworkShape; readonly score: number }[];
}

const FOLDS = 5;
const SEED = 7;

/** Ranks networks by what they announce and by the words of their names. The trees learn from those whose class is known. */
export function rankNetworks(
  shapes: readonly NetworkShape[],
  isOfUse: (shape: NetworkShape) => boolean,
): NetworkRanking {
  // A relay's network looks like the cloud that runs it, and tells nothing about either.
  const known = shapes.filter(({ networkClass }) => networkClass !== null && networkClass !== 'relay');
  const ofFold = Array.from({ length: FOLDS }, (_, fold) =>
    learnWords(
      known.filter(({ asn }) => foldOf(asn) !== fold),
      isOfUse,
    ),
  );
  const rows = known.map((shape) => [
    ...shape.facts,
    ...(ofFold[foldOf(shape.asn)]?.factsOf(shape.organisation) ?? []),
  ]);
  const flags = known.map((shape) => (isOfUse(shape) ? 1 : 0));
  const crossValidated = Array.from({ length: FOLDS }, (_, fold) => {
    const others = known.flatMap(({ asn }, i) => (foldOf(asn) === fold ? [] : [i]));
    const trees = train(others, flags, rows);
    return known.flatMap((shape, i) =>
      foldOf(shape.asn) === fold ? [{ shape, score: sumOf(trees, rows[i] ?? []) }] : [],
    );
  }).flat();
  const trees = train([...known.keys()], flags, rows);
  const words = learnWords(known, isOfUse);
  const unknown = new Map(
    shapes.flatMap(({ asn, organisation, networkClass, facts }) =>
      networkClass === null ? [[asn, sumOf(trees, [...facts, ...words.factsOf(organisation)])] as const] : [],
    ),
  );
  return { unknown, crossValidated };
}

/** Both classes weigh the same in sum. */
function train(
  members: readonly number[],
  flags: readonly number[],
  rows: readonly (readonly number[])[],
): readonly Tree[] {
  const positive = members.filter((i) => flags[i] === 1).length;
  const weightOf = (i: number) =>
    members.length / 2 / (flags[i] === 1 ? positive : members.length - positive);
  const width = rows[0]?.length ?? 0;
  return trainBoostedTrees(
    {
      columns: Array.from({ length: width }, (_, column) =>
        Float32Array.from(members, (i) => rows[i]?.[column] ?? 0),
      ),
      isPositive: Uint8Array.from(members, (i) => flags[i] ?? 0),
      weights: Float64Array.from(members, weightOf),
    },
    createRandom(SEED),
  );
}

function sumOf(trees: readonly Tree[], row: readonly number[]): number {
  // The cuts were chosen from 32-bit values.
  const facts = Float32Array.from(row);
  return trees.reduce((sum, tree) => {
    let at = 0;
    let node = tree[0];
    while (node && 'column' in node) {
      at = (facts[node.column] ?? 0) <= node.cut ? at + 1 : node.right;
      node = tree[at];
    }
    return sum + (node?.value ?? 0);
  }, 0);
}

/** Spread by the multiplicative hash of the number (Knuth), because neighbouring numbers belong to one region. */
function foldOf(asn: number): number {
  return (Math.imul(asn, 2_654_435_761) >>> 8) % FOLDS;
}
