import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { parseCidr } from '../../src/addresses/ip-address.ts';

type Value = string | number | boolean | { readonly [key: string]: Value };
type Storage = Readonly<Record<string, Value>>;

/** A node of the search tree: two children, each a node, a record's offset in the data section, or nothing. */
type Child = Node | { readonly offset: number } | null;
interface Node {
  children: [Child, Child];
}

/** Bits of an IPv6 tree before its IPv4 part, which is ::/96. */
const IPV4_DEPTH = 96;

/**
 * Writes a database of MaxMind's format (maxmind.github.io/MaxMind-DB) into a folder that goes with the test. Keys are networks.
 *
 * @returns its path
 */
export function writeMmdb(t: ExecutionContext, databaseType: string, records: Storage): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatekeeper-mmdb-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const path = join(folder, `${databaseType}.mmdb`);
  writeFileSync(path, encodeMmdb(databaseType, records));
  return path;
}

export function encodeMmdb(databaseType: string, records: Storage): Buffer {
  const root: Node = { children: [null, null] };
  const data: Buffer[] = [];
  let offset = 0;
  for (const [network, record] of Object.entries(records)) {
    insert(root, bitsOf(network), { offset });
    const encoded = encode(record);
    data.push(encoded);
    offset += encoded.length;
  }
  const nodes = collect(root);
  return Buffer.concat([
    encodeTree(nodes),
    Buffer.alloc(16),
    ...data,
    Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1'),
    encode({
      node_count: nodes.length,
      record_size: 32,
      ip_version: 6,
      database_type: databaseType,
      binary_format_major_version: 2,
      binary_format_minor_version: 0,
      build_epoch: Date.UTC(2026, 5, 1) / 1_000,
    }),
  ]);
}

function bitsOf(network: string): number[] {
  const cidr = parseCidr(network);
  if (!cidr) throw new Error(`not a network: ${network}`);
  const bits = cidr.network.words.flatMap((word) =>
    Array.from({ length: 32 }, (_, i) => (word >>> (31 - i)) & 1),
  );
  const own = bits.slice(0, cidr.prefixLength);
  return cidr.network.family === 4 ? [...Array<number>(IPV4_DEPTH).fill(0), ...own] : own;
}

function insert(root: Node, bits: readonly number[], record: { readonly offset: number }): void {
  let node = root;
  for (const [depth, bit] of bits.entries()) {
    const side = bit === 1 ? 1 : 0;
    if (depth === bits.length - 1) {
      node.children[side] = record;
      return;
    }
    const child = node.children[side];
    const next: Node = child && 'children' in child ? child : { children: [null, null] };
    node.children[side] = next;
    node = next;
  }
}

function collect(root: Node): Node[] {
  const nodes = [root];
  for (const node of nodes) {
    for (const child of node.children) if (child && 'children' in child) nodes.push(child);
  }
  return nodes;
}

function encodeTree(nodes: readonly Node[]): Buffer {
  const places = new Map(nodes.map((node, i) => [node, i]));
  const tree = Buffer.alloc(8 * nodes.length);
  for (const [i, node] of nodes.entries()) {
    for (const [side, child] of node.children.entries()) {
      const value =
        child === null
          ? nodes.length
          : 'offset' in child
            ? nodes.length + 16 + child.offset
            : (places.get(child) ?? nodes.length);
      tree.writeUInt32BE(value, 8 * i + 4 * side);
    }
  }
  return tree;
}

const TYPES = { text: 2, uint32: 6, map: 7, boolean: 14 } as const;

function encode(value: Value): Buffer {
  if (typeof value === 'boolean') return control(TYPES.boolean, value ? 1 : 0);
  if (typeof value === 'string') {
    const text = Buffer.from(value);
    return Buffer.concat([control(TYPES.text, text.length), text]);
  }
  if (typeof value === 'number') {
    const number = Buffer.alloc(4);
    number.writeUInt32BE(value);
    return Buffer.concat([control(TYPES.uint32, 4), number]);
  }
  const entries = Object.entries(value);
  return Buffer.concat([
    control(TYPES.map, entries.length),
    ...entries.flatMap(([key, member]) => [encode(key), encode(member)]),
  ]);
}

/** The byte that begins a field: its type and size. Types above 7 take a second byte, sizes above 28 too. */
function control(type: number, size: number): Buffer {
  const length = size < 29 ? [size] : [29, size - 29];
  const [first = 0, ...rest] = length;
  return Buffer.from(type <= 7 ? [(type << 5) | first, ...rest] : [first, type - 7, ...rest]);
}
