import type { NetworkClass } from '../datasets.ts';
import { KNOWN_NETWORKS } from './known-networks.ts';

/**
 * Rules over the organisation's name, tried in this order; the first that matches decides. Most words are matched
 * whole: "cloud" is not found in "McCloud", nor "host" in "ghost". An organisation that connects people and hosts
 * servers too is classed by where people sit: a wrong `hosting` costs a person a verification, a wrong `access` costs
 * one clue of several.
 */
const RULES: readonly (readonly [networkClass: NetworkClass, names: RegExp])[] = [
  // Schools, universities and the research networks that connect them.
  [
    'education',
    /\b(universi\w*|college\w*|schools?|education\w*|academic|academy|polytechnic\w*|politecnic\w*|hochschule|institute of technology|nren|k-?12)\b/,
  ],
  ['vpn', /vpn\b|\b(mullvad|packethub|tefincom|windscribe|cyberghost|torguard|private internet access)\b/],
  // Who says both sells connections first: "Example Telecom and Hosting".
  ['access', /\bbroadband\b|^(?=.*(telecom|telekom|fib(er|re|ra)\b|cable|wireless|\bisp\b)).*hosting/],
  // Words that only sellers of servers put into their names.
  [
    'hosting',
    /\bhost(?!el|etler)\w+|hosting\b|\w{2}host\b|\b(vps|vds|colo|colocation|dedicated servers?|servers|idc|sakura internet|gmo internet)\b|\bdata-? ?cent(er|re)s?\b/,
  ],
  [
    'mobile',
    /\b(mobile|cellular|celular\w*|movil\w*|moviles|movistar|gsm|vodacom|turkcell|docomo|mtn|safaricom)\b/,
  ],
  [
    'access',
    /telecom|telekom|telefon|chinanet|\b(telco|telephone|cable\w*|catv|kabel\w*|broadband|breitband|fib(er|re|ra)\w*|wireless|wi-?fi|wimax|isp|internet|a?dsl|banda (larga|ancha)|provedor\w*|cooperative|stadtwerke|communications|comunicacoes|comunicaciones|china unicom)\b/,
  ],
  // Words that others use as well; an organisation with them that is none of the above sells servers.
  ['hosting', /\b(?<!st\. )(cloud|cdn|server|hosts?)\b/],
  [
    'business',
    /\b(bank|banque|banco|insurance|hospital|clinic|health|airlines?|airways|motors?|pharma\w*|ministry|department of|government|defen[cs]e|dod|state of|county|city of|province of)\b/,
  ],
];

/**
 * What an autonomous system is used for, from its number where it is known and else from its organisation's name.
 * Null where neither tells.
 */
export function classifyNetwork(asn: number, organisation: string): NetworkClass | null {
  const known = KNOWN_NETWORKS.get(asn);
  if (known !== undefined) return known;
  const name = plainText(organisation);
  return RULES.find(([, names]) => names.test(name))?.[0] ?? null;
}

/** The longest name of the ASN table has 167 characters; a user's file may hold anything. */
const MAX_NAME_LENGTH = 200;

/** Lower case without diacritics, so that one spelling of a rule covers Universität and Universidad. */
function plainText(name: string): string {
  return name.slice(0, MAX_NAME_LENGTH).normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
