import { parseMailbox } from '../../src/addresses/email-address.ts';
import { type IpAddress, parseIpAddress } from '../../src/addresses/ip-address.ts';
import { type Attempt, createAttempt } from '../../src/assessment/attempt.ts';
import type { CurrentDatasets, IpSet, NetworkDatasets, NetworkFacts } from '../../src/datasets/datasets.ts';
import { createIpRangesBuilder } from '../../src/datasets/ip-ranges.ts';

export function ipOf(text: string): IpAddress {
  const ip = parseIpAddress(text);
  if (!ip) throw new Error(`not an address: ${text}`);
  return ip;
}

/** An attempt of somebody from this address. */
export function attemptFrom(address: string): Attempt {
  const mailbox = parseMailbox('someone@company.example.com');
  if (!mailbox) throw new Error('the fixture is no mailbox');
  return createAttempt(
    {
      requestId: '0d4ff2c0-0000-4000-8000-000000000000',
      receivedAt: Date.UTC(2026, 10, 21),
      door: 'api',
      scope: 'account',
      route: null,
      email: { mailbox },
      ip: ipOf(address),
      userAgent: null,
      headers: null,
    },
    (value) => value,
  );
}

export type ListName = Exclude<keyof NetworkDatasets, 'locate'>;

/** Data sets in which every address has these facts, and the named lists hold these networks. */
export function networkDatasets(
  facts: Partial<NetworkFacts>,
  lists: Partial<Record<ListName, readonly string[]>> = {},
): CurrentDatasets {
  const located: NetworkFacts = {
    asn: null,
    organisation: null,
    networkClass: null,
    country: null,
    ...facts,
  };
  const network: NetworkDatasets = {
    locate: () => located,
    tor: setOf(lists.tor),
    vpn: setOf(lists.vpn),
    datacenter: setOf(lists.datacenter),
    proxy: setOf(lists.proxy),
    blocklist: setOf(lists.blocklist),
    relay: setOf(lists.relay),
  };
  // The network processor reads nothing else of the data sets.
  return { current: { network } as CurrentDatasets['current'] };
}

function setOf(networks: readonly string[] = []): IpSet {
  const builder = createIpRangesBuilder();
  for (const network of networks) if (!builder.add(network)) throw new Error(`not a network: ${network}`);
  return builder.build();
}
