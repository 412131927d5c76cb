import test from 'ava';
import { writeForest } from '../../../scripts/train/write-forest.ts';
import { readForest, sumOfLeaves } from '../../../src/processors/email/decision-forest.ts';

/** Two trees: on fact 0, then on fact 1; and a leaf alone. */
const bytes = writeForest([
  [
    { column: 0, cut: 0.5, right: 2 },
    { value: 1 },
    { column: 1, cut: 3, right: 4 },
    { value: 2 },
    { value: 4 },
  ],
  [{ value: 0.25 }],
]);

for (const [facts, sum] of [
  [[0.5, 9], 1.25],
  [[0.6, 3], 2.25],
  [[0.6, 3.5], 4.25],
] as const) {
  test(`a forest adds up the leaves that ${facts.join(' and ')} reach`, (t) => {
    t.is(sumOfLeaves(readForest(bytes, 2), Float32Array.from(facts)), sum);
  });
}

test('a damaged forest is refused', (t) => {
  const [split, leaf] = [{ column: 0, cut: 1, right: 2 }, { value: 1 }];
  const open = writeForest([[split, { ...split, right: 3 }, leaf, leaf]]);
  t.throws(() => readForest(open, 2), { message: /ends within a tree/ });
  t.throws(() => readForest(bytes.subarray(0, 7), 2), { message: /nodes/ });
  t.throws(() => readForest(bytes, 1), { message: /node 2 of its forest is damaged/ });
  const loop = Buffer.from(bytes);
  loop.writeUInt8(0, 1);
  t.throws(() => readForest(loop, 2), { message: /node 0 of its forest is damaged/ });
});
