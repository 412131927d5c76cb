import { parseDomainName, parseMailbox } from '../addresses/email-address.ts';
import { type Cidr, formatCidr, parseCidr } from '../addresses/ip-address.ts';
import { untranslatedNetwork } from '../addresses/translated-ipv4.ts';
import { canonicalMailbox } from './canonical-mailbox.ts';
import { parsePattern } from './pattern.ts';

/** The subject of an allow or deny entry. */
export type ListEntry =
  | { readonly kind: 'mailbox'; readonly canonical: string; readonly domain: string }
  /** A mailbox, as the same keyed hash that attempts have. */
  | { readonly kind: 'pseudonym'; readonly mailbox: string }
  | { readonly kind: 'domain'; readonly domain: string }
  /** Mailboxes of one pattern; see `parsePattern`. */
  | { readonly kind: 'pattern'; readonly pattern: string }
  /** A template, as the same keyed hash that attempts have. */
  | { readonly kind: 'template'; readonly template: string }
  | { readonly kind: 'network'; readonly cidr: Cidr }
  | { readonly kind: 'asn'; readonly asn: number }
  | { readonly kind: 'country'; readonly country: string };

export const PATTERN_PREFIX = 'pattern:';

/**
 * Reads `someone@example.net`, `bad.example` (with all subdomains), `203.0.113.7`, `203.0.113.0/24`, `AS64500`, a
 * country as two capital letters, `XK`, or a pattern. A pattern is a text such as `pattern:promo.user#`, or an example
 * such as `pattern:promo.user4821`.
 * @returns null for any other text.
 */
export function parseListEntry(text: string): ListEntry | null {
  if (/^AS\d{1,10}$/i.test(text)) {
    const asn = Number(text.slice(2));
    return asn <= 0xffffffff ? { kind: 'asn', asn } : null;
  }
  if (/^[A-Z]{2}$/.test(text)) return { kind: 'country', country: text };
  if (text.startsWith(PATTERN_PREFIX)) {
    const pattern = parsePattern(text.slice(PATTERN_PREFIX.length));
    return pattern === null ? null : { kind: 'pattern', pattern };
  }
  const cidr = parseCidr(text);
  // Attempts from a translator have the IPv4 address, so an entry with the translated form would never match.
  if (cidr) return { kind: 'network', cidr: untranslatedNetwork(cidr) };
  const mailbox = parseMailbox(text);
  if (mailbox) {
    // `*@bad.example` would be the one mailbox with a star for its name, and no user means that.
    if (mailbox.localPart.includes('*')) return null;
    return { kind: 'mailbox', canonical: canonicalMailbox(mailbox), domain: mailbox.domain.ascii };
  }
  const domain = parseDomainName(text);
  return domain && { kind: 'domain', domain: domain.ascii };
}

/** The canonical spelling of an entry, which `parseListEntry` can read; a pseudonym stays unchanged. */
export function formatListEntry(entry: ListEntry): string {
  if (entry.kind === 'mailbox') return entry.canonical;
  if (entry.kind === 'pseudonym') return entry.mailbox;
  if (entry.kind === 'pattern') return `${PATTERN_PREFIX}${entry.pattern}`;
  if (entry.kind === 'template') return entry.template;
  if (entry.kind === 'domain') return entry.domain;
  if (entry.kind === 'asn') return `AS${entry.asn}`;
  if (entry.kind === 'country') return entry.country;
  const { network, prefixLength } = entry.cidr;
  const bits = network.family === 4 ? 32 : 128;
  return prefixLength === bits ? network.text : formatCidr(entry.cidr);
}
