import { type IpAddress, type SpecialRange, specialRange } from '../../addresses/ip-address.ts';
import type { EvidenceFields } from '../../assessment/evidence-fields.ts';
import type { Examination, Finding, Processor } from '../../assessment/processor.ts';
import type { ClassificationCode } from '../../assessment/reasons.ts';
import type {
  CurrentDatasets,
  NetworkClass,
  NetworkDatasets,
  NetworkFacts,
} from '../../datasets/datasets.ts';
import { askBlockLists, type BlockListAnswer } from '../dns/block-lists.ts';
import type { BoundedResolver } from '../dns/bounded-resolver.ts';

export interface NetworkProcessorDependencies {
  readonly datasets: CurrentDatasets;
  /** DNS block lists, for IP addresses that are on no other list; null without block lists. */
  readonly dnsbl?: { readonly zones: readonly string[]; readonly resolver: BoundedResolver } | null;
}

/** Hosting and VPN services count as organisations here, since the service itself is a finding. */
const CLASSIFICATIONS: Readonly<Record<NetworkClass | 'unknown', ClassificationCode>> = {
  hosting: 'business_ip',
  vpn: 'business_ip',
  relay: 'relay_ip',
  mobile: 'mobile_ip',
  access: 'residential_ip',
  education: 'education_ip',
  business: 'business_ip',
  unknown: 'unclassified_ip',
};

const SPECIAL: Readonly<Record<SpecialRange, Examination>> = {
  private: { classification: 'private_ip', evidence: null, findings: [], incomplete: null },
  reserved: { classification: 'reserved_ip', evidence: null, findings: [], incomplete: null },
};

/**
 * Network Analysis: determines the network of an IP address, and whether it hides its user. Special addresses such as
 * private ones are never looked up. Answers directly unless DNS block lists are configured.
 */
export function createNetworkProcessor({ datasets, dnsbl = null }: NetworkProcessorDependencies): Processor {
  return {
    factor: 'ip_address',
    examine({ ip }) {
      const special = specialRange(ip);
      if (special) return SPECIAL[special];
      const { network } = datasets.current;
      const offline = examineOffline(ip, network);
      if (!dnsbl || offline.findings.some(({ code }) => code === 'blocklisted_ip')) return offline;
      const answer = askBlockLists(ip, dnsbl.zones, dnsbl.resolver);
      return answer instanceof Promise
        ? answer.then((settled) => withBlockLists(offline, settled))
        : withBlockLists(offline, answer);
    },
  };
}

function examineOffline(ip: IpAddress, network: NetworkDatasets): Examination {
  const facts = network.locate(ip);
  const isRelay = facts.networkClass === 'relay' || network.relay.has(ip);
  const evidence = describeNetwork(facts);
  const fields = fieldsOf(facts);
  const findings: Finding[] = [];
  const hidden = isRelay ? null : hidingCode(ip, facts, network);
  if (hidden) findings.push({ code: hidden, evidence, fields });
  if (network.blocklist.has(ip)) findings.push({ code: 'blocklisted_ip', evidence, fields });
  const classification = isRelay ? 'relay_ip' : CLASSIFICATIONS[facts.networkClass ?? 'unknown'];
  return { classification, evidence, fields, findings, incomplete: null };
}

/**
 * The most specific service that hides the user of the address. Only one code even if several match: a Tor exit in a
 * data centre is one cause, not two.
 */
function hidingCode(ip: IpAddress, { networkClass }: NetworkFacts, network: NetworkDatasets) {
  if (network.tor.has(ip)) return 'tor_ip';
  if (network.proxy.has(ip)) return 'proxy_ip';
  if (networkClass === 'vpn' || network.vpn.has(ip)) return 'vpn_ip';
  if (networkClass === 'hosting' || network.datacenter.has(ip)) return 'datacenter_ip';
  return null;
}

function withBlockLists(offline: Examination, { listedBy, unknown }: BlockListAnswer): Examination {
  const listed: Finding = {
    code: 'blocklisted_ip',
    evidence: `listed by ${listedBy.join(', ')}`.slice(0, 200),
    fields: { ...offline.fields, block_lists: listedBy },
  };
  return {
    ...offline,
    findings: listedBy.length > 0 ? [...offline.findings, listed] : offline.findings,
    incomplete: unknown && `dnsbl: ${unknown}`,
  };
}

/** Longer names are cut, since evidence has room for 200 characters. */
const MAX_ORGANISATION_LENGTH = 160;

/** The network in words, with the known parts only: `AS24940 Hetzner Online GmbH, DE`. */
function describeNetwork({ asn, organisation, country }: NetworkFacts): string | null {
  const name = organisation?.slice(0, MAX_ORGANISATION_LENGTH) ?? '';
  const owner = asn === null ? name : `AS${asn} ${name}`.trimEnd();
  if (country === null) return owner || null;
  return owner ? `${owner}, ${country}` : country;
}

/** Unknown fields are left out, which keeps stored decisions small. */
function fieldsOf({ asn, organisation, country }: NetworkFacts): EvidenceFields {
  const fields: { -readonly [Name in keyof EvidenceFields]: EvidenceFields[Name] } = {};
  if (asn !== null) fields.asn = asn;
  if (organisation !== null) fields.organisation = organisation.slice(0, MAX_ORGANISATION_LENGTH);
  if (country !== null) fields.country = country;
  return fields;
}
