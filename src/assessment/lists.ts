import { type Cidr, networkOf, parseCidr } from '../addresses/cidr.ts';
import { parseDomainName } from '../addresses/domain-name.ts';
import type { IpAddress } from '../addresses/ip-address.ts';
import { parseMailbox } from '../addresses/mailbox.ts';
import type { Attempt } from './attempt.ts';
import { canonicalMailbox } from './canonical-mailbox.ts';
import type { ListVerdict } from './score.ts';

/** What an allow or deny list can name. */
export type ListEntry =
  | { readonly kind: 'mailbox'; readonly canonical: string }
  | { readonly kind: 'domain'; readonly domain: string }
  | { readonly kind: 'network'; readonly cidr: Cidr }
  | { readonly kind: 'asn'; readonly asn: number }
  | { readonly kind: 'country'; readonly country: string };

/** Where an address sits, as far as data sets know. */
export interface NetworkLocation {
  readonly asn: number | null;
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null;
}

export interface ListMatcher {
  /** Every entry that names this attempt, at most one of each factor and verdict. */
  match(attempt: Attempt): readonly ListVerdict[];
}

/**
 * Reads `someone@example.net`, `bad.example` (and all below it), `203.0.113.7`, `203.0.113.0/24`, `AS64500`, or a
 * country as two capitals, `XK`.
 *
 * @returns null for anything else.
 */
export function parseListEntry(text: string): ListEntry | null {
  if (/^AS\d{1,10}$/i.test(text)) {
    const asn = Number(text.slice(2));
    return asn <= 0xffffffff ? { kind: 'asn', asn } : null;
  }
  if (/^[A-Z]{2}$/.test(text)) return { kind: 'country', country: text };
  const cidr = parseCidr(text);
  if (cidr) return { kind: 'network', cidr };
  const mailbox = parseMailbox(text);
  if (mailbox) return { kind: 'mailbox', canonical: canonicalMailbox(mailbox) };
  const domain = parseDomainName(text);
  return domain && { kind: 'domain', domain: domain.ascii };
}

/** Compiles both lists once; a match costs a few look-ups however long they are. */
export function compileLists(
  entries: { readonly allow: readonly ListEntry[]; readonly deny: readonly ListEntry[] },
  locate: (ip: IpAddress) => NetworkLocation,
): ListMatcher {
  if (entries.allow.length === 0 && entries.deny.length === 0) return { match: () => [] };
  const allowed = indexEntries(entries.allow, locate);
  const denied = indexEntries(entries.deny, locate);
  return {
    match(attempt) {
      const verdicts: ListVerdict[] = [];
      const add = (verdict: ListVerdict['verdict'], code: ListVerdict['code'], evidence: string | null) => {
        if (evidence !== null) verdicts.push({ verdict, code, evidence });
      };
      add('denied', 'denylisted_email', denied.matchEmail(attempt));
      add('denied', 'denylisted_ip', denied.matchIp(attempt.ip));
      add('denied', 'denied_country', denied.matchCountry(attempt.ip));
      add('allowed', 'allowlisted_email', allowed.matchEmail(attempt));
      add('allowed', 'allowlisted_ip', allowed.matchIp(attempt.ip) ?? allowed.matchCountry(attempt.ip));
      return verdicts;
    },
  };
}

function indexEntries(entries: readonly ListEntry[], locate: (ip: IpAddress) => NetworkLocation) {
  const mailboxes = new Set<string>();
  const domains = new Set<string>();
  const asns = new Set<number>();
  const countries = new Set<string>();
  const networks = new Map<string, { readonly prefixLength: number; readonly starts: Set<string> }>();
  for (const entry of entries) {
    if (entry.kind === 'mailbox') mailboxes.add(entry.canonical);
    else if (entry.kind === 'domain') domains.add(entry.domain);
    else if (entry.kind === 'asn') asns.add(entry.asn);
    else if (entry.kind === 'country') countries.add(entry.country);
    else addNetwork(entry.cidr);
  }

  function addNetwork({ network, prefixLength }: Cidr): void {
    const key = `${network.family}/${prefixLength}`;
    const group = networks.get(key) ?? { prefixLength, starts: new Set() };
    group.starts.add(network.text);
    networks.set(key, group);
  }

  return {
    matchEmail({ email: { mailbox } }: Attempt): string | null {
      if (!mailbox) return null;
      if (mailboxes.size > 0 && mailboxes.has(canonicalMailbox(mailbox))) return 'the mailbox';
      for (let name = mailbox.domain.ascii; name; name = name.slice(name.indexOf('.') + 1)) {
        if (domains.has(name)) return name;
        if (!name.includes('.')) break;
      }
      return null;
    },
    matchIp(ip: IpAddress): string | null {
      for (const { prefixLength, starts } of networks.values()) {
        const start = networkOf(ip, prefixLength).text;
        if (starts.has(start)) return `${start}/${prefixLength}`;
      }
      const asn = asns.size > 0 ? locate(ip).asn : null;
      return asn !== null && asns.has(asn) ? `AS${asn}` : null;
    },
    matchCountry(ip: IpAddress): string | null {
      const country = countries.size > 0 ? locate(ip).country : null;
      return country !== null && countries.has(country) ? country : null;
    },
  };
}
