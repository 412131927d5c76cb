import { parseDomainName } from '../addresses/email-address.ts';
import { formatCidr, networkOf, parseIpAddress } from '../addresses/ip-address.ts';
import type { FeedKind } from '../config/config.ts';

/** Reads one entry of a feed. Returns its canonical spelling, or null when it is not of this kind. */
export type ReadFeedEntry = (text: string) => string | null;

/**
 * The widest accepted networks. A wider network would mark a large part of the internet. It would be a mistake, or an
 * attack through the feed.
 */
const WIDEST_IPV4_PREFIX = 8;
const WIDEST_IPV6_PREFIX = 16;

export function feedEntryReader(kind: FeedKind): ReadFeedEntry {
  return kind === 'disposable' ? readDomain : readNetwork;
}

/** Reads a domain. `example.com`, `*.example.com` and `@example.com` mean the same: an entry covers its subdomains. */
function readDomain(text: string): string | null {
  const domain = parseDomainName(text.replace(/^(\*\.|\.|@)/, '').toLowerCase());
  // A public suffix such as `co.uk` is refused, because it would mark a country. A private suffix (`ddns.net`) is
  // matched exactly and is allowed.
  if (!domain || (domain.registrable === null && domain.suffixKind !== 'private')) return null;
  return domain.ascii;
}

/** Reads an IPv4 or IPv6 address, network or range. Lists of proxies append `:port` to addresses. */
function readNetwork(text: string): string | null {
  const slash = text.indexOf('/');
  if (slash !== -1) return readCidr(text.slice(0, slash), text.slice(slash + 1));
  const dash = text.indexOf('-');
  if (dash !== -1) return readRange(text.slice(0, dash).trim(), text.slice(dash + 1).trim());
  const withoutPort = /^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/.exec(text)?.[1] ?? text;
  return parseIpAddress(withoutPort)?.text ?? null;
}

/** Bits beyond the prefix are removed: `192.0.2.77/24` is a common mistake with a clear meaning. */
function readCidr(address: string, length: string): string | null {
  const ip = parseIpAddress(address);
  if (!ip || !/^\d{1,3}$/.test(length)) return null;
  const prefixLength = Number(length);
  const [widest, longest] = ip.family === 4 ? [WIDEST_IPV4_PREFIX, 32] : [WIDEST_IPV6_PREFIX, 128];
  if (prefixLength < widest || prefixLength > longest) return null;
  return formatCidr({ network: networkOf(ip, prefixLength), prefixLength });
}

function readRange(first: string, last: string): string | null {
  const from = parseIpAddress(first);
  const to = parseIpAddress(last);
  if (!from || !to || from.family !== to.family) return null;
  const at = from.words.findIndex((word, i) => word !== to.words[i]);
  if (at === -1) return from.text;
  if ((from.words[at] ?? 0) > (to.words[at] ?? 0)) return null;
  const widest = from.family === 4 ? WIDEST_IPV4_PREFIX : WIDEST_IPV6_PREFIX;
  if (networkOf(from, widest).text !== networkOf(to, widest).text) return null;
  return `${from.text}-${to.text}`;
}
