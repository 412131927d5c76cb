import { parseDomainName } from '../addresses/email-address.ts';
import { type Cidr, cidrContains, parseCidr } from '../addresses/ip-address.ts';
import { mailboxPseudonym, type Pseudonymize } from '../assessment/identity.ts';
import type { ListEntry } from '../assessment/list-entry.ts';
import {
  asnMatch,
  domainMatch,
  type ListMatch,
  MAILBOX_MATCH,
  networkMatch,
} from '../assessment/list-index.ts';
import type { ListVerdict } from '../assessment/score.ts';
import type { ReplayableDecision } from '../storage/decisions/decision-record.ts';

/** Entries of both lists, to match against past decisions. */
export interface StoredLists {
  match(decision: Pick<ReplayableDecision, 'identity' | 'examinations'>): readonly ListVerdict[];
}

type StoredIdentity = ReplayableDecision['identity'];

/** Addresses are stored truncated to these lengths (`truncatedNetwork`); an IPv6 site is also stored as a hash. */
const KEPT_PREFIX = { 4: 24, 6: 48 } as const;
const WHOLE_PREFIX = { 4: 32, 6: 128 } as const;
const SITE_PREFIX = 64;

/** Decisions store addresses as hashes. */
const ADDRESS_MATCH: ListMatch = { evidence: 'the address', fields: {} };

/**
 * The reason why an entry cannot match stored decisions, which do not contain the address of a person. It is the end of
 * a sentence about the entry. Null when the entry can match.
 */
export function whyNotStored(entry: ListEntry): string | null {
  if (entry.kind === 'pattern' || entry.kind === 'template')
    return 'a denied pattern is a finding of the judgement: its preview is on the page of the campaign';
  if (entry.kind === 'country') return 'decisions do not contain the country';
  if (entry.kind === 'domain') {
    const registrable = parseDomainName(entry.domain)?.registrable ?? entry.domain;
    return registrable === entry.domain
      ? null
      : `decisions contain only the registrable domain, which is ${registrable}`;
  }
  if (entry.kind !== 'network') return null;
  const { network, prefixLength } = entry.cidr;
  const { family } = network;
  const isKept =
    prefixLength <= KEPT_PREFIX[family] ||
    prefixLength === WHOLE_PREFIX[family] ||
    (family === 6 && prefixLength === SITE_PREFIX);
  return isKept ? null : `decisions contain only networks as /${KEPT_PREFIX[family]} and whole addresses`;
}

/** Only for entries for which `whyNotStored` is null; other entries match nothing. */
export function compileStoredLists(
  { allow, deny }: Readonly<Record<'allow' | 'deny', readonly ListEntry[]>>,
  pseudonymize: Pseudonymize,
): StoredLists {
  const allowed = indexStored(allow, pseudonymize);
  const denied = indexStored(deny, pseudonymize);
  return {
    match({ identity, examinations }) {
      const verdicts: ListVerdict[] = [];
      const add = (verdict: ListVerdict['verdict'], code: ListVerdict['code'], match: ListMatch | null) => {
        if (match) verdicts.push({ verdict, code, evidence: match.evidence, fields: match.fields });
      };
      const asn = examinations.ip_address?.fields?.asn ?? null;
      add('denied', 'denylisted_email', denied.matchEmail(identity));
      add('denied', 'denylisted_ip', denied.matchIp(identity, asn));
      add('allowed', 'allowlisted_email', allowed.matchEmail(identity));
      add('allowed', 'allowlisted_ip', allowed.matchIp(identity, asn));
      return verdicts;
    },
  };
}

function indexStored(entries: readonly ListEntry[], pseudonymize: Pseudonymize) {
  const mailboxes = new Set<string>();
  const domains = new Set<string>();
  const asns = new Set<number>();
  const addresses = new Set<string>();
  const networks: Cidr[] = [];
  for (const entry of entries) {
    if (entry.kind === 'mailbox') mailboxes.add(mailboxPseudonym(entry.canonical, pseudonymize));
    else if (entry.kind === 'pseudonym') mailboxes.add(entry.mailbox);
    else if (entry.kind === 'domain') domains.add(entry.domain);
    else if (entry.kind === 'asn') asns.add(entry.asn);
    else if (entry.kind === 'network') addNetwork(entry.cidr);
  }

  function addNetwork(cidr: Cidr): void {
    const { network, prefixLength } = cidr;
    if (prefixLength === WHOLE_PREFIX[network.family]) addresses.add(pseudonymize(`ip ${network.text}`));
    else if (prefixLength === SITE_PREFIX) addresses.add(pseudonymize(`site ${network.text}`));
    else networks.push(cidr);
  }

  return {
    matchEmail({ mailbox, domain }: StoredIdentity): ListMatch | null {
      if (mailbox !== null && mailboxes.has(mailbox)) return MAILBOX_MATCH;
      if (domains.size === 0) return null;
      for (let name = domain ?? ''; name !== ''; name = name.slice(name.indexOf('.') + 1)) {
        if (domains.has(name)) return domainMatch(name);
        if (!name.includes('.')) break;
      }
      return null;
    },
    matchIp({ ip, site, network }: StoredIdentity, asn: number | null): ListMatch | null {
      if (addresses.has(ip) || (site !== null && addresses.has(site))) return ADDRESS_MATCH;
      const kept = networks.length > 0 ? parseCidr(network) : null;
      const around = kept && networks.find((cidr) => cidrContains(cidr, kept.network));
      if (around) return networkMatch(around);
      return asn !== null && asns.has(asn) ? asnMatch(asn) : null;
    },
  };
}
