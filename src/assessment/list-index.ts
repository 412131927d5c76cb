import { type Cidr, formatCidr, type IpAddress, networkOf } from '../addresses/ip-address.ts';
import type { Attempt } from './attempt.ts';
import { canonicalMailbox } from './canonical-mailbox.ts';
import type { EvidenceFields } from './evidence-fields.ts';
import { literalPattern, localPartTemplate, withoutSeparators } from './identity.ts';
import { formatListEntry, type ListEntry } from './list-entry.ts';

/** The location of an IP address, as far as the data sets know it. */
interface NetworkLocation {
  readonly asn: number | null;
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null;
}

export type Locate = (ip: IpAddress) => NetworkLocation;

/** The matching entry: a few words for people, and fields. */
export interface ListMatch {
  readonly evidence: string;
  readonly fields: EvidenceFields;
}

/** The text does not repeat the mailbox, because it is a person's email address. */
export const MAILBOX_MATCH: ListMatch = { evidence: 'the mailbox', fields: {} };

/**
 * The entries of one list with their expiry. The time of a look-up or a change does not depend on the number of
 * entries. It grows only with the labels of the domain and with the number of different prefix lengths. The code runs
 * in one thread: for all readers, several changes without an await between them are one change.
 */
export interface ListIndex {
  readonly size: number;
  /** Whether some entry, also an expired one, names a mailbox or a domain. */
  readonly namesEmails: boolean;
  /** @returns whether the entry is new. An existing entry gets the new expiry. */
  add(entry: ListEntry, expiresAt: number | null): boolean;
  /** @returns whether the entry existed. */
  remove(entry: ListEntry): boolean;
  clear(): void;
  /** The matching entry at that time, or null. */
  matchEmail(attempt: Attempt): ListMatch | null;
  matchIp(attempt: Attempt, locate: Locate): ListMatch | null;
  /** Three look-ups, however many patterns there are. */
  matchPattern(attempt: Attempt): ListMatch | null;
  matchCountry(attempt: Attempt, locate: Locate): ListMatch | null;
  /** The text of the entry, or of a wider entry that includes it. Null when there is no such entry. */
  findCovering(entry: ListEntry, at: number): string | null;
}

/** The expiry of an entry; Infinity when it does not expire. */
type Deadlines<Key> = Map<Key, number>;
type NetworkKey = number | string;

export function createListIndex(): ListIndex {
  const mailboxes: Deadlines<string> = new Map();
  const pseudonyms: Deadlines<string> = new Map();
  const domains: Deadlines<string> = new Map();
  const patterns: Deadlines<string> = new Map();
  /** The patterns that differ only in their separators. */
  const alikePatterns = new Map<string, Set<string>>();
  const templates: Deadlines<string> = new Map();
  const asns: Deadlines<number> = new Map();
  const countries: Deadlines<string> = new Map();
  const networks = {
    4: new Map<number, Deadlines<NetworkKey>>(),
    6: new Map<number, Deadlines<NetworkKey>>(),
  };
  function placeOf(entry: ListEntry): readonly [Deadlines<string | number>, string | number] {
    if (entry.kind === 'mailbox') return [mailboxes as Deadlines<string | number>, entry.canonical];
    if (entry.kind === 'pseudonym') return [pseudonyms as Deadlines<string | number>, entry.mailbox];
    if (entry.kind === 'domain') return [domains as Deadlines<string | number>, entry.domain];
    if (entry.kind === 'pattern') return [patterns as Deadlines<string | number>, entry.pattern];
    if (entry.kind === 'template') return [templates as Deadlines<string | number>, entry.template];
    if (entry.kind === 'asn') return [asns as Deadlines<string | number>, entry.asn];
    if (entry.kind === 'country') return [countries as Deadlines<string | number>, entry.country];
    const { network, prefixLength } = entry.cidr;
    const group = networks[network.family].get(prefixLength) ?? new Map<NetworkKey, number>();
    networks[network.family].set(prefixLength, group);
    return [group, networkKey(network)];
  }

  function noteAlike({ pattern }: Extract<ListEntry, { kind: 'pattern' }>, isListed: boolean): void {
    const key = withoutSeparators(pattern);
    const alike = new Set(alikePatterns.get(key)).add(pattern);
    if (!isListed) alike.delete(pattern);
    if (alike.size > 0) alikePatterns.set(key, alike);
    else alikePatterns.delete(key);
  }

  function findNetwork(ip: IpAddress, longest: number, at: number): Cidr | null {
    for (const [prefixLength, starts] of networks[ip.family]) {
      if (prefixLength > longest || starts.size === 0) continue;
      const network = networkOf(ip, prefixLength);
      if (holds(starts, networkKey(network), at)) return { network, prefixLength };
    }
    return null;
  }

  function findDomain(domain: string, at: number): string | null {
    if (domains.size === 0) return null;
    for (let name = domain; name; name = name.slice(name.indexOf('.') + 1)) {
      if (holds(domains, name, at)) return name;
      if (!name.includes('.')) break;
    }
    return null;
  }

  const index: ListIndex & { size: number } = {
    size: 0,
    get namesEmails() {
      return mailboxes.size > 0 || pseudonyms.size > 0 || domains.size > 0;
    },
    add(entry, expiresAt) {
      const [deadlines, key] = placeOf(entry);
      const isNew = !deadlines.has(key);
      deadlines.set(key, expiresAt ?? Number.POSITIVE_INFINITY);
      if (isNew) index.size += 1;
      if (entry.kind === 'pattern') noteAlike(entry, true);
      return isNew;
    },
    remove(entry) {
      const [deadlines, key] = placeOf(entry);
      const wasThere = deadlines.delete(key);
      if (wasThere) index.size -= 1;
      if (entry.kind === 'pattern') noteAlike(entry, false);
      return wasThere;
    },
    clear() {
      for (const entries of [mailboxes, pseudonyms, domains, patterns, templates, asns, countries]) {
        entries.clear();
      }
      alikePatterns.clear();
      networks[4].clear();
      networks[6].clear();
      index.size = 0;
    },
    matchEmail({ email: { mailbox }, identity, receivedAt }) {
      if (!mailbox) return null;
      const isNamed =
        (identity.mailbox !== null && holds(pseudonyms, identity.mailbox, receivedAt)) ||
        (mailboxes.size > 0 && holds(mailboxes, canonicalMailbox(mailbox), receivedAt));
      return isNamed ? MAILBOX_MATCH : domainMatch(findDomain(mailbox.domain.ascii, receivedAt));
    },
    matchPattern({ email: { mailbox }, identity, receivedAt }) {
      if (identity.template === null || !mailbox) return null;
      if (holds(templates, identity.template, receivedAt)) {
        return { evidence: 'denied by the pattern of a campaign', fields: {} };
      }
      if (patterns.size === 0) return null;
      const readings = [literalPattern(mailbox.localPart), localPartTemplate(mailbox.localPart)];
      const pattern = readings
        .flatMap((text) => [...((text && alikePatterns.get(withoutSeparators(text))) || [])])
        .find((text) => holds(patterns, text, receivedAt));
      return pattern ? { evidence: `denied by pattern ${pattern}`, fields: { pattern } } : null;
    },
    matchIp({ ip, receivedAt }, locate) {
      const network = findNetwork(ip, 128, receivedAt);
      if (network) return networkMatch(network);
      const asn = asns.size > 0 ? locate(ip).asn : null;
      return asn !== null && holds(asns, asn, receivedAt) ? asnMatch(asn) : null;
    },
    matchCountry({ ip, receivedAt }, locate) {
      const country = countries.size > 0 ? locate(ip).country : null;
      if (country === null || !holds(countries, country, receivedAt)) return null;
      return { evidence: country, fields: { country } };
    },
    findCovering(entry, at) {
      if (entry.kind === 'network') {
        const found = findNetwork(entry.cidr.network, entry.cidr.prefixLength, at);
        return found && formatListEntry({ kind: 'network', cidr: found });
      }
      if (entry.kind === 'domain') return findDomain(entry.domain, at);
      const [deadlines, key] = placeOf(entry);
      if (holds(deadlines, key, at)) return formatListEntry(entry);
      return entry.kind === 'mailbox' ? findDomain(entry.domain, at) : null;
    },
  };
  return index;
}

export function domainMatch(domain: string | null): ListMatch | null {
  return domain === null ? null : { evidence: domain, fields: { domain } };
}

export function networkMatch(cidr: Cidr): ListMatch {
  const network = formatCidr(cidr);
  return { evidence: network, fields: { network } };
}

export function asnMatch(asn: number): ListMatch {
  return { evidence: `AS${asn}`, fields: { asn } };
}

function holds<Key>(deadlines: Deadlines<Key>, key: Key, at: number): boolean {
  return (deadlines.get(key) ?? Number.NEGATIVE_INFINITY) > at;
}

/** The first address of a network: for IPv4 its one word, for IPv6 all four as text. */
function networkKey({ family, words }: IpAddress): NetworkKey {
  return family === 4 ? (words[0] ?? 0) : words.join();
}
