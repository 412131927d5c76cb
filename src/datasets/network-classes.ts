import type { NetworkClass } from './datasets.ts';
import { KNOWN_NETWORKS } from './known-networks.ts';

/**
 * Rules over the organisation's name, tried in this order; the first that matches decides. Words are matched whole,
 * so that "cloud" is not found in "St. Cloud" nor "host" in "ghost". An organisation that both connects people and
 * hosts servers is classed by where people sit: a wrong `hosting` costs a person a verification, a wrong `access`
 * costs nothing but a clue.
 */
const RULES: readonly (readonly [networkClass: NetworkClass, names: RegExp])[] = [
  // Schools, universities and the research networks that connect them.
  [
    'education',
    /\b(universit\w*|univ|college\w*|schools?|education\w*|academic|campus|polytechnic\w*|hochschule|institute of technology|nren|k-?12)\b/,
  ],
  ['vpn', /vpn\b|\b(mullvad|packethub|tefincom|windscribe|cyberghost|torguard|private internet access)\b/],
  // Words that only sellers of servers put into their names.
  [
    'hosting',
    /hosting\b|\bhosting|\bweb-?host|\b(vps|vds|colo|colocation|dedicated servers?|servers|hoster|hostinger)\b|\b\w{2,}host\b/,
  ],
  [
    'mobile',
    /\b(mobile|mobil|cellular|celular\w*|movil\w*|movistar|gsm|vodacom|turkcell|docomo|mtn|safaricom|t-mobile)\b/,
  ],
  [
    'access',
    /\b(telecom\w*|telekom\w*|telefon\w*|telco|telephone|cable\w*|catv|kabel\w*|broadband|fib(er|re|ra)\w*|wireless|wi-?fi|isp|internet|a?dsl|banda larga|provedor\w*|cooperative|stadtwerke|communications|comunicacoes|comunicaciones)\b/,
  ],
  // Words that others use too; whoever is none of the above and says them sells servers.
  ['hosting', /\b(cloud|data-? ?cent(er|re)s?|idc|cdn|server|virtual|hosts?)\b/],
  ['business', /\b(bank|insurance|hospital|airlines?|motors?|ministry|department of|government)\b/],
];

/**
 * What an autonomous system is used for, from its number where it is known and else from its organisation's name.
 * Null where neither tells.
 */
export function classifyNetwork(asn: number, organisation: string): NetworkClass | null {
  const known = KNOWN_NETWORKS.get(asn);
  if (known) return known;
  const name = plainText(organisation);
  return RULES.find(([, names]) => names.test(name))?.[0] ?? null;
}

/** Lower case without diacritics, so that one spelling of a rule covers Universität and Universidad. */
function plainText(name: string): string {
  return name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
