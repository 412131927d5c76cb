import { SILENT_AFTER_MS } from './node-intervals.ts';
import type { FleetNode } from './node-store.ts';

/** A problem of the nodes as a whole. */
export interface NodeIssue {
  readonly kind: 'clock' | 'configuration' | 'data';
  /** For operators: it names the nodes. */
  readonly message: string;
  /** The ids of the nodes that it names. */
  readonly nodes: readonly string[];
}

/** Longer than a changed file takes to be read, and a new data set to be loaded. */
const SETTLED_AFTER_MS = 30_000;
/** More than a busy machine and its time server cause. */
const MAX_CLOCK_SKEW_MS = 2_000;
const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** Of the nodes that report. During a change, nodes may differ for half a minute. */
export function findNodeIssues(all: readonly FleetNode[]): readonly NodeIssue[] {
  const nodes = all.filter(isAlive);
  const clocks = nodes.flatMap(({ id, name, clockSkewMs }): readonly NodeIssue[] => {
    if (clockSkewMs === null || Math.abs(clockSkewMs) <= MAX_CLOCK_SKEW_MS) return [];
    return [
      {
        kind: 'clock',
        message: `The clock of ${name} is ${describeSkew(clockSkewMs)}, by the clock of the database. Set the time of that machine.`,
        nodes: [id],
      },
    ];
  });
  const configurations = differences(nodes, (node) => [node.configuration, node.configurationForMs]);
  const data = differences(nodes, (node) => [node.data, node.dataForMs]);
  return [
    ...clocks,
    ...(configurations
      ? [
          {
            kind: 'configuration' as const,
            nodes: nodes.map(({ id }) => id),
            message: `Nodes have different configurations: ${configurations}. They judge differently until all have the same file.`,
          },
        ]
      : []),
    ...(data
      ? [
          {
            kind: 'data' as const,
            nodes: nodes.map(({ id }) => id),
            message: `Nodes have different data sets: ${data}. Compare \`gatekeeper data status\` on each.`,
          },
        ]
      : []),
  ];
}

/** Whether the node has reported recently. */
export function isAlive({ seenAgoMs }: Pick<FleetNode, 'seenAgoMs'>): boolean {
  return seenAgoMs < SILENT_AFTER_MS;
}

/** `40 days ahead`. */
export function describeSkew(skewMs: number): string {
  const size = Math.abs(skewMs);
  const [unit, ms] = UNITS.find(([, unitMs]) => size >= unitMs) ?? ['second', 1_000];
  const count = Math.max(1, Math.round(size / ms));
  return `${count} ${unit}${count === 1 ? '' : 's'} ${skewMs > 0 ? 'ahead' : 'behind'}`;
}

/** `3f2a on one, two; 9cc0 on three`; null when all nodes without a recent change have the same. */
function differences(
  nodes: readonly FleetNode[],
  read: (node: FleetNode) => readonly [revision: string, forMs: number],
): string | null {
  const names = new Map<string, string[]>();
  for (const node of nodes) {
    const [revision, forMs] = read(node);
    if (forMs < SETTLED_AFTER_MS) continue;
    names.set(revision, [...(names.get(revision) ?? []), node.name]);
  }
  if (names.size < 2) return null;
  return [...names].map(([revision, on]) => `${revision} on ${on.join(', ')}`).join('; ');
}
