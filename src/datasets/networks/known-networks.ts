import type { NetworkClass } from '../datasets.ts';
import { KNOWN_NETWORK_NUMBERS, SHARED_NETWORK_NUMBERS } from './known-networks.generated.ts';

/**
 * Autonomous systems whose names do not show their use, or show a wrong use, by number. Null when the use is unknown,
 * for example for carriers of carriers. The table is `data/tables/networks.yaml`.
 */
export const KNOWN_NETWORKS: ReadonlyMap<number, NetworkClass | null> = readNumbers();

/**
 * Autonomous systems of gateways and access providers that put many customers behind one address, by number. The
 * address of such a customer is not his own.
 */
export const SHARED_NETWORKS: ReadonlySet<number> = new Set(SHARED_NETWORK_NUMBERS);

function readNumbers(): Map<number, NetworkClass | null> {
  const { transit, ...byClass } = KNOWN_NETWORK_NUMBERS;
  const known = new Map<number, NetworkClass | null>(transit.map((asn) => [asn, null]));
  for (const networkClass of Object.keys(byClass) as (keyof typeof byClass)[]) {
    for (const asn of byClass[networkClass]) known.set(asn, networkClass);
  }
  return known;
}
