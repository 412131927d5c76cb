/**
 * A forest as flat arrays, with the nodes of all trees one after the other. The left child of a node is the next node.
 */
export interface DecisionForest {
  /** The number of a fact, or 255 in a leaf. */
  readonly facts: Uint8Array;
  /** In an inner node: the highest value for which the left child is next. In a leaf: the value of the leaf. */
  readonly values: Float32Array;
  /** The right child, as a distance from the node; 0 in a leaf. */
  readonly right: Uint8Array;
  /** The index of the first node of each tree. */
  readonly roots: Uint16Array;
}

/** Marks a leaf. */
export const LEAF = 255;
const NODE_BYTES = 6;

/** The sum of the leaves that these facts reach, as log odds. It takes about 2 µs for 120 trees. */
export function sumOfLeaves({ facts, values, right, roots }: DecisionForest, of: Float32Array): number {
  let sum = 0;
  for (let tree = 0; tree < roots.length; tree++) {
    let node = roots[tree] ?? 0;
    for (let fact = facts[node] ?? LEAF; fact !== LEAF; fact = facts[node] ?? LEAF) {
      node += (of[fact] ?? 0) <= (values[node] ?? 0) ? 1 : (right[node] ?? 1);
    }
    sum += values[node] ?? 0;
  }
  return sum;
}

/**
 * Reads a forest: for each node its fact, the distance of its right child, and its value as a 32-bit float,
 * little-endian. A tree ends as soon as all its splits have their leaves.
 *
 * @param factCount The number of facts.
 * @throws {Error} when a node names a fact or a child that does not exist.
 */
export function readForest(bytes: Buffer, factCount: number): DecisionForest {
  const size = bytes.length / NODE_BYTES;
  if (!Number.isInteger(size) || size > 0xffff) throw new Error(`its forest has ${size} nodes`);
  const forest = {
    facts: new Uint8Array(size),
    values: new Float32Array(size),
    right: new Uint8Array(size),
  };
  const roots: number[] = [];
  let missingChildren = 0;
  for (let node = 0; node < size; node++) {
    if (missingChildren === 0) {
      roots.push(node);
      missingChildren = 1;
    }
    const fact = bytes.readUInt8(node * NODE_BYTES);
    const right = bytes.readUInt8(node * NODE_BYTES + 1);
    if (fact !== LEAF && (fact >= factCount || right < 2 || node + right >= size)) {
      throw new Error(`node ${node} of its forest is damaged`);
    }
    forest.facts[node] = fact;
    forest.right[node] = right;
    forest.values[node] = bytes.readFloatLE(node * NODE_BYTES + 2);
    missingChildren += fact === LEAF ? -1 : 1;
  }
  if (missingChildren !== 0) throw new Error('its forest ends within a tree');
  return { ...forest, roots: Uint16Array.from(roots) };
}
