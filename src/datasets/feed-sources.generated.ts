// Generated from data/sources.yaml by scripts/generate-tables.ts. Edit that file, then run: npm run tables
import type { FeedSource } from '../config/feed-source.ts';

export const FEED_SOURCES: readonly FeedSource[] = [
  {
    name: 'tor-exits',
    kind: 'tor',
    format: 'lines',
    urls: [
      'https://check.torproject.org/torbulkexitlist',
      'https://raw.githubusercontent.com/firehol/blocklist-ipsets/master/tor_exits.ipset',
    ],
    publisher: 'The Tor Project; the second address is a copy by FireHOL',
    licence: 'none stated',
    renewed: 'several times a day',
    purpose: 'Addresses of Tor exits. The built-in data has none of them.',
  },
  {
    name: 'vpn',
    kind: 'vpn',
    format: 'lines',
    urls: [
      'https://raw.githubusercontent.com/X4BNet/lists_vpn/main/output/vpn/ipv4.txt',
      'https://cdn.jsdelivr.net/gh/X4BNet/lists_vpn@main/output/vpn/ipv4.txt',
    ],
    publisher: 'X4B',
    licence: 'MIT',
    renewed: 'every few days',
    purpose: 'IPv4 networks of VPN services. The list has networks of iCloud Private Relay too, so name relay beside it.',
  },
  {
    name: 'datacenter',
    kind: 'datacenter',
    format: 'lines',
    urls: [
      'https://raw.githubusercontent.com/lord-alfred/ipranges/main/all/ipv4_merged.txt',
      'https://cdn.jsdelivr.net/gh/lord-alfred/ipranges@main/all/ipv4_merged.txt',
    ],
    publisher: 'lord-alfred/ipranges',
    licence: 'CC0-1.0',
    renewed: 'daily',
    purpose: 'IPv4 networks that cloud providers publish themselves. The list may have relays too, so name relay beside it.',
  },
  {
    name: 'datacenter-ipv6',
    kind: 'datacenter',
    format: 'lines',
    urls: [
      'https://raw.githubusercontent.com/lord-alfred/ipranges/main/all/ipv6_merged.txt',
      'https://cdn.jsdelivr.net/gh/lord-alfred/ipranges@main/all/ipv6_merged.txt',
    ],
    publisher: 'lord-alfred/ipranges',
    licence: 'CC0-1.0',
    renewed: 'daily',
    purpose: 'The same for IPv6.',
  },
  {
    name: 'disposable',
    kind: 'disposable',
    format: 'lines',
    urls: [
      'https://raw.githubusercontent.com/disposable-email-domains/disposable-email-domains/main/disposable_email_blocklist.conf',
      'https://cdn.jsdelivr.net/gh/disposable-email-domains/disposable-email-domains@main/disposable_email_blocklist.conf',
    ],
    publisher: 'disposable-email-domains',
    licence: 'CC0-1.0',
    renewed: 'every few days',
    purpose: 'Domains of throwaway mailboxes, reviewed by people. Newer than the built-in list of a release.',
  },
  {
    name: 'relay',
    kind: 'relay',
    format: 'csv',
    urls: [
      'https://mask-api.icloud.com/egress-ip-ranges.csv',
    ],
    publisher: 'Apple',
    licence: 'none stated',
    renewed: 'daily',
    purpose: 'Networks of iCloud Private Relay, so that its users are not taken for users of a VPN or of a data centre.',
  },
];
