import type { NetworkClass } from './datasets.ts';

/** Autonomous systems whose names do not tell, or tell wrongly, what they are used for. */
export const KNOWN_NETWORKS: ReadonlyMap<number, NetworkClass> = new Map([
  ...[16509, 14618, 8075, 15169, 396982, 13335, 20940, 54113, 31898, 14061, 24940, 16276].map(
    (asn) => [asn, 'hosting'] as const,
  ),
]);
