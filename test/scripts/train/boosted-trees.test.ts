import test from 'ava';
import { trainBoostedTrees } from '../../../scripts/train/boosted-trees.ts';
import { createRandom } from '../../../scripts/train/random.ts';
import { writeForest } from '../../../scripts/train/write-forest.ts';
import { readForest, sumOfLeaves } from '../../../src/processors/email/decision-forest.ts';

/** A burner exactly when one of two columns is high, which no sum of the columns shows; a third column is noise. */
function tableOf(rows: number) {
  const random = createRandom(3);
  const columns = [0, 1, 2].map(() => Float32Array.from({ length: rows }, random));
  const [a = new Float32Array(), b = new Float32Array()] = columns;
  const isPositive = Uint8Array.from(a, (value, i) => (value > 0.5 !== (b[i] ?? 0) > 0.5 ? 1 : 0));
  return { columns, isPositive, weights: new Float64Array(rows).fill(1) };
}

const train = (rows: number) => writeForest(trainBoostedTrees(tableOf(rows), createRandom(7)));
const forest = readForest(train(2_000), 3);

for (const [facts, isBurner] of [
  [[0.1, 0.1, 0.5], false],
  [[0.9, 0.9, 0.5], false],
  [[0.9, 0.1, 0.5], true],
  [[0.1, 0.9, 0.5], true],
] as const) {
  test(`the trees learn that ${facts.join(', ')} is ${isBurner ? 'a burner' : 'clean'}`, (t) => {
    const sum = sumOfLeaves(forest, Float32Array.from(facts));
    t.true(isBurner ? sum > 1 : sum < -1, String(sum));
  });
}

test('the same table gives the same trees', (t) => {
  t.deepEqual(train(500), train(500));
});

test('leaves that need more rows make smaller trees', (t) => {
  const nodes = (minHessian: number) =>
    trainBoostedTrees(tableOf(500), createRandom(7), { minHessian }).flat().length;
  t.true(nodes(40) < nodes(10));
});

test('with hard rows, the first forty trees are the same and later ones differ', (t) => {
  const plain = trainBoostedTrees(tableOf(500), createRandom(7));
  const weighed = trainBoostedTrees(tableOf(500), createRandom(7), { weighsHardRows: true });
  t.deepEqual(weighed.slice(0, 40), plain.slice(0, 40));
  t.notDeepEqual(weighed.slice(40), plain.slice(40));
});

test('rows that are all alike, and no rows at all, give trees of one leaf', (t) => {
  const alike = { columns: [new Float32Array(50)], isPositive: new Uint8Array(50).fill(1) };
  const trees = trainBoostedTrees({ ...alike, weights: new Float64Array(50).fill(1) }, createRandom(1));
  t.true(trees.every((tree) => tree.length === 1));
  const none = { columns: [new Float32Array()], isPositive: new Uint8Array(), weights: new Float64Array() };
  t.true(trainBoostedTrees(none, createRandom(1)).every((tree) => tree.length === 1));
});
