import type { IpAddress } from '../../../src/addresses/ip-address.ts';
import type { CurrentDatasets, DomainSet, IpSet, NetworkClass } from '../../../src/datasets/datasets.ts';

/** The second octet of an address encodes its network, so that a test can be read without a table. */
const CLASS_BY_SECOND_OCTET: Readonly<Record<number, NetworkClass>> = {
  1: 'access',
  2: 'mobile',
  3: 'education',
  4: 'vpn',
  5: 'hosting',
  6: 'business',
  9: 'relay',
};
const RELAY_OCTET = 7;
const TOR_OCTET = 8;
/** The number of a network in which many companies share an address. */
const GATEWAY_OCTET = 10;
const GATEWAY_ASN = 22616;

const domains = (...names: string[]): DomainSet => new Set(names);
const whereSecondOctetIs = (octet: number): IpSet => ({ size: 1, has: (ip) => secondOctet(ip) === octet });
const nowhere: IpSet = { size: 0, has: () => false };

/** Data sets with a handful of facts: 81.2.x.x is mobile, 81.7.x.x a relay, gmail.com a provider. */
export const knownNetworks: CurrentDatasets = {
  current: {
    revision: 'test',
    email: {
      disposable: domains(),
      suspected: domains(),
      freeSubdomainHosts: domains(),
      freeProviders: domains('gmail.com', 'outlook.com', 'yahoo.com', 'gmx.de', 'web.de', 'proton.me'),
      academic: domains('uni-bonn.de', 'edu'),
      government: domains('gov', 'gov.uk'),
      relays: domains('privaterelay.appleid.com', 'appleid.com'),
      roles: new Set(),
    },
    network: {
      locate: (ip) => ({
        asn: secondOctet(ip) === GATEWAY_OCTET ? GATEWAY_ASN : null,
        organisation: null,
        country: null,
        networkClass: CLASS_BY_SECOND_OCTET[secondOctet(ip)] ?? null,
      }),
      tor: whereSecondOctetIs(TOR_OCTET),
      vpn: nowhere,
      datacenter: nowhere,
      proxy: nowhere,
      blocklist: nowhere,
      relay: whereSecondOctetIs(RELAY_OCTET),
    },
    device: { browsers: new Map(), asOf: 0 },
    info: [],
  },
};

function secondOctet({ family, words }: IpAddress): number {
  return family === 4 ? ((words[0] ?? 0) >>> 16) & 255 : 0;
}
