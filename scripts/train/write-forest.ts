import { LEAF } from '../../src/processors/email/decision-forest.ts';
import type { Tree } from './boosted-trees.ts';

const NODE_BYTES = 6;

/** The bytes that `readForest` reads. */
export function writeForest(trees: readonly Tree[]): Buffer {
  const nodes = trees.flatMap((tree) =>
    tree.map((node, at) =>
      'value' in node
        ? { fact: LEAF, right: 0, value: node.value }
        : { fact: node.column, right: node.right - at, value: node.cut },
    ),
  );
  const bytes = Buffer.alloc(nodes.length * NODE_BYTES);
  for (const [i, { fact, right, value }] of nodes.entries()) {
    bytes.writeUInt8(fact, i * NODE_BYTES);
    bytes.writeUInt8(right, i * NODE_BYTES + 1);
    bytes.writeFloatLE(value, i * NODE_BYTES + 2);
  }
  return bytes;
}
